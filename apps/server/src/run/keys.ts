/** `geoswap-server keys …`: API keys of accounts, while the server runs or not, and keys that seal tokens. */
import { Accounts, Seal, type Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Storage from "../storage/Storage.js"
import type { Flags } from "../commands/parseArgs.js"
import { Failure, load, remark, say } from "../config/loadConfig.js"
import { table } from "../terminal/table.js"

const dateOf = (millis: number | undefined) => (millis === undefined ? null : new Date(millis).toISOString())

const viewOf = ({ accountName, createdAt, id, label, revokedAt }: Store.ApiKey) => ({
  id,
  account: accountName,
  label,
  createdAt: dateOf(createdAt),
  revokedAt: dateOf(revokedAt)
})

/** The accounts in the database of a configuration. */
const accounts = Effect.fnUntraced(function* ({ config }: Pick<Flags, "config">) {
  const { database } = yield* load(config)
  return Accounts.layer.pipe(Layer.provide(Storage.store(database)))
}, Layer.unwrap)

/** Makes a key. It alone goes to standard output, so that a script can take it. */
export const create = (flags: Pick<Flags, "config" | "account" | "label" | "json">) =>
  Effect.gen(function* () {
    const { account, json, label } = flags
    const { apiKey, key } = yield* (yield* Accounts.Accounts).create({ account, ...(label !== undefined && { label }) })
    const secret = Redacted.value(key)
    if (json === true) return yield* say(JSON.stringify({ ...viewOf(apiKey), key: secret }))
    yield* say(secret)
    yield* remark(`A key of account "${apiKey.accountName}". It is shown this once: keep it where secrets are kept.`)
  }).pipe(Effect.provide(accounts(flags)))

/** Lists the keys, those that were revoked included. */
export const list = (flags: Pick<Flags, "config" | "json">) =>
  Effect.gen(function* () {
    const keys = (yield* (yield* Accounts.Accounts).list).map(viewOf)
    if (flags.json === true) return yield* say(JSON.stringify(keys))
    if (keys.length === 0) return yield* say("There are no keys yet: geoswap-server keys create --account <name>")
    const rows = keys.map(({ account, createdAt, id, label, revokedAt }) => [
      id,
      account,
      createdAt ?? "",
      revokedAt === null ? "active" : `revoked ${revokedAt}`,
      label
    ])
    yield* say(table([["id", "account", "created", "state", "label"], ...rows]))
  }).pipe(Effect.provide(accounts(flags)))

/** Revokes a key for good. */
export const revoke = (flags: Pick<Flags, "config" | "json">, id: string) =>
  Effect.gen(function* () {
    const revoked = yield* (yield* Accounts.Accounts).revoke(id)
    if (!revoked) return yield* new Failure({ message: `There is no active key ${id}: geoswap-server keys list` })
    yield* say(
      flags.json === true
        ? JSON.stringify({ id, revoked })
        : `Key ${id} is revoked. A running server refuses it within 10 seconds.`
    )
  }).pipe(Effect.provide(accounts(flags)))

/** Prints a new key that seals. */
export const seal = ({ json }: Pick<Flags, "json">) =>
  Effect.flatMap(Seal.generateKey, (key) => say(json === true ? JSON.stringify({ key }) : key))
