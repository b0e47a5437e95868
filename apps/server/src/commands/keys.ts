/** Manages API keys, even while servers are running, and creates sealing keys. */
import { Accounts, Seal, Store } from "@geoswap/service"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Failure } from "../output/Failure.js"
import { print, printJson, printNote, printText } from "../output/print.js"
import { table } from "../output/table.js"
import { formatTime } from "../output/time.js"
import { json, requiredArgument, requiredFlag, valueFlag } from "./flags.js"
import { openStore } from "./openStore.js"

const viewOf = ({ accountName, createdAt, id, label, revokedAt }: Store.ApiKey) => ({
  id,
  account: accountName,
  label,
  createdAt: formatTime(createdAt),
  revokedAt: revokedAt === undefined ? null : formatTime(revokedAt)
})

/** Only the key goes to standard output, so that scripts can read it. */
const create = Command.make(
  "create",
  {
    account: requiredFlag("account", {
      metavar: "name",
      description: "Account that the key belongs to; all keys for an account give access to the same swaps",
      expected: "a name",
      // The name is not validated here, because the service validates it.
      parse: (text) => text
    }),
    label: valueFlag("label", {
      metavar: "text",
      description: "Label shown by keys list",
      expected: "a label",
      parse: (text) => text
    }),
    json
  },
  Effect.fnUntraced(function* ({ account, json, label }) {
    const { store } = yield* openStore
    const { create } = yield* Effect.provideService(Accounts.make, Store.Store, store)
    const { apiKey, key } = yield* create({ account, ...(label !== undefined && { label }) })
    const secret = Redacted.value(key)
    if (json) return yield* printJson({ ...viewOf(apiKey), key: secret })
    yield* print(secret)
    yield* printNote(
      `This key belongs to account "${apiKey.accountName}". It is shown only once: store it as a secret.`
    )
  }, Effect.scoped)
).pipe(Command.withDescription("Create an API key and print it once"))

const list = Command.make(
  "list",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const { store } = yield* openStore
    const keys = (yield* store.apiKeys).map(viewOf)
    if (json) return yield* printJson({ keys })
    if (keys.length === 0)
      return yield* printText("There are no keys yet. Create one: geoswap-server keys create --account <name>")
    const rows = keys.map(({ account, createdAt, id, label, revokedAt }) => [
      id,
      account,
      createdAt,
      revokedAt === null ? "active" : `revoked ${revokedAt}`,
      label
    ])
    yield* print(table([["id", "account", "created", "state", "label"], ...rows]))
  }, Effect.scoped)
).pipe(Command.withDescription("List the API keys"))

const revoke = Command.make(
  "revoke",
  {
    id: requiredArgument("id", {
      description: "Key id, as shown by keys list",
      expected: "12 lowercase letters and digits, as shown by keys list",
      // Extracts the id from a key id or a full key.
      parse: (text) => /^(?:gsk_)?([a-z0-9]{12})(?:_[\w-]{43})?$/.exec(text)?.[1]
    }),
    json
  },
  Effect.fnUntraced(function* ({ id, json }) {
    const { store } = yield* openStore
    const revoked = yield* store.revokeApiKey(id)
    if (!revoked)
      return yield* new Failure({ message: `There is no active key ${id}. List the keys: geoswap-server keys list` })
    yield* json
      ? printJson({ id, revoked })
      : print(`Key ${id} has been revoked. All servers stop accepting the key within 10 seconds.`)
  }, Effect.scoped)
).pipe(Command.withDescription("Revoke an API key"))

const seal = Command.make("seal", { json }, ({ json }) =>
  Effect.flatMap(Seal.generateKey, (key) => (json ? printJson({ key }) : print(key)))
).pipe(Command.withDescription("Print a new sealing key for GEOSWAP_SEAL_KEYS"))

/** Manages API keys, and creates sealing keys. */
export const command = Command.make("keys").pipe(Command.withSubcommands([create, list, revoke, seal]))
