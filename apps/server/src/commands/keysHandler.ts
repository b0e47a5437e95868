/** Manages API keys, even while servers are running, and creates sealing keys. */
import { Accounts, Seal, type Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Storage from "../storage/Storage.js"
import { loadConfig } from "../config/loadConfig.js"
import { Failure } from "../output/Failure.js"
import { print, printJson, printNote, printText } from "../output/print.js"
import { table } from "../output/table.js"

interface Flags {
  readonly json: boolean
}

const dateOf = (millis: number | undefined) => (millis === undefined ? null : new Date(millis).toISOString())

const viewOf = ({ accountName, createdAt, id, label, revokedAt }: Store.ApiKey) => ({
  id,
  account: accountName,
  label,
  createdAt: dateOf(createdAt),
  revokedAt: dateOf(revokedAt)
})

/** The accounts in the configured database. */
const accounts = Effect.fnUntraced(function* (configFile: string | undefined) {
  const { database } = yield* loadConfig(configFile)
  return Accounts.layer.pipe(Layer.provide(Storage.store(database)))
}, Layer.unwrap)

interface CreateFlags extends Flags {
  readonly account: string
  readonly label: string | undefined
}

/** Creates a key. Only the key goes to standard output, so that scripts can read it. */
export const create = ({ account, json, label }: CreateFlags, configFile?: string) =>
  Effect.gen(function* () {
    const { apiKey, key } = yield* (yield* Accounts.Accounts).create({ account, ...(label !== undefined && { label }) })
    const secret = Redacted.value(key)
    if (json) return yield* printJson({ ...viewOf(apiKey), key: secret })
    yield* print(secret)
    yield* printNote(
      `This key belongs to account "${apiKey.accountName}". It is shown only once: store it as a secret.`
    )
  }).pipe(Effect.provide(accounts(configFile)))

/** Lists the keys, including revoked ones. */
export const list = ({ json }: Flags, configFile?: string) =>
  Effect.gen(function* () {
    const keys = (yield* (yield* Accounts.Accounts).list).map(viewOf)
    if (json) return yield* printJson({ keys })
    if (keys.length === 0)
      return yield* printText("There are no keys yet. Create one: geoswap-server keys create --account <name>")
    const rows = keys.map(({ account, createdAt, id, label, revokedAt }) => [
      id,
      account,
      createdAt ?? "",
      revokedAt === null ? "active" : `revoked ${revokedAt}`,
      label
    ])
    yield* print(table([["id", "account", "created", "state", "label"], ...rows]))
  }).pipe(Effect.provide(accounts(configFile)))

/** Revokes a key permanently. */
export const revoke = ({ id, json }: Flags & { readonly id: string }, configFile?: string) =>
  Effect.gen(function* () {
    const revoked = yield* (yield* Accounts.Accounts).revoke(id)
    if (!revoked)
      return yield* new Failure({ message: `There is no active key ${id}. List the keys: geoswap-server keys list` })
    yield* json
      ? printJson({ id, revoked })
      : print(`Key ${id} has been revoked. All servers stop accepting the key within 10 seconds.`)
  }).pipe(Effect.provide(accounts(configFile)))

/** Prints a new sealing key. */
export const seal = ({ json }: Flags) =>
  Effect.flatMap(Seal.generateKey, (key) => (json ? printJson({ key }) : print(key)))
