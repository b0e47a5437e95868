/** Manages API keys, even while servers are running, and creates sealing keys. */
import { Accounts, Seal, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Failure } from "../output/Failure.js"
import { print, printJson, printNote, printText } from "../output/print.js"
import { table } from "../output/table.js"
import { formatTime } from "../output/time.js"
import { openStore } from "./openStore.js"

interface Flags {
  readonly json: boolean
}

const viewOf = ({ accountName, createdAt, id, label, revokedAt }: Store.ApiKey) => ({
  id,
  account: accountName,
  label,
  createdAt: formatTime(createdAt),
  revokedAt: revokedAt === undefined ? null : formatTime(revokedAt)
})

interface CreateFlags extends Flags {
  readonly account: string
  readonly label: string | undefined
}

/** Creates a key. Only the key goes to standard output, so that scripts can read it. */
export const create = Effect.fnUntraced(function* ({ account, json, label }: CreateFlags, configFile?: string) {
  const { store } = yield* openStore(configFile)
  const { create } = yield* Effect.provideService(Accounts.make, Store.Store, store)
  const { apiKey, key } = yield* create({ account, ...(label !== undefined && { label }) })
  const secret = Redacted.value(key)
  if (json) return yield* printJson({ ...viewOf(apiKey), key: secret })
  yield* print(secret)
  yield* printNote(`This key belongs to account "${apiKey.accountName}". It is shown only once: store it as a secret.`)
}, Effect.scoped)

/** Lists the keys, including revoked ones. */
export const list = Effect.fnUntraced(function* ({ json }: Flags, configFile?: string) {
  const { store } = yield* openStore(configFile)
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

/** Revokes a key permanently. */
export const revoke = Effect.fnUntraced(function* ({ id, json }: Flags & { readonly id: string }, configFile?: string) {
  const { store } = yield* openStore(configFile)
  const revoked = yield* store.revokeApiKey(id)
  if (!revoked)
    return yield* new Failure({ message: `There is no active key ${id}. List the keys: geoswap-server keys list` })
  yield* json
    ? printJson({ id, revoked })
    : print(`Key ${id} has been revoked. All servers stop accepting the key within 10 seconds.`)
}, Effect.scoped)

/** Prints a new sealing key. */
export const seal = ({ json }: Flags) =>
  Effect.flatMap(Seal.generateKey, (key) => (json ? printJson({ key }) : print(key)))
