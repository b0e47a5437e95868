/**
 * Replaces the sealing key in three steps, so that no server receives a token that it cannot open. Every server has the
 * new key before that key is used to seal tokens, and keeps the old key until the tokens sealed with it have expired.
 */
import { Seal } from "@geoswap/service"
import * as Command from "effect/cli/Command"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Failure } from "../output/Failure.js"
import { print, printJson, printNote } from "../output/print.js"
import { updateSealKeys, type Keys } from "../secrets/sealKeyStore.js"
import { booleanFlag, json, matching, optionalArgument } from "./flags.js"

/**
 * The name of a key created by `add` encodes the key's creation time in seconds. Keys with other names are treated as
 * older.
 */
const madeAt = (kid: string) => {
  const [, seconds] = /^r([0-9a-f]{8,10})$/.exec(kid) ?? []
  return seconds === undefined ? 0 : Number.parseInt(seconds, 16)
}

const newest = (keys: Keys) =>
  keys.filter(({ kid }) => madeAt(kid) > 0).toSorted((a, b) => madeAt(b.kid) - madeAt(a.kid))[0]

const addTo = Effect.fnUntraced(function* (keys: Keys) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  // Makes the new key's name the newest, even if the clock was set back.
  const second = Math.max(now, ...keys.map(({ kid }) => madeAt(kid) + 1))
  return [...keys, yield* Seal.makeKey(`r${second.toString(16)}`)]
})

const promoteIn = Effect.fnUntraced(function* (keys: Keys, name: string) {
  const chosen = name === "" ? newest(keys) : keys.find(({ kid }) => kid === name)
  if (chosen !== undefined) return [chosen, ...keys.filter((key) => key !== chosen)]
  const known = keys.map(({ kid }) => kid).join(", ")
  return yield* new Failure({
    message:
      name === ""
        ? `None of these keys was created by rotate-seal-key add. Run that command first, or name the key to seal with: rotate-seal-key promote <name> (${known}).`
        : `There is no key with that name. The keys are ${known}.`
  })
})

const retireFrom = Effect.fnUntraced(function* (keys: Keys, yes: boolean) {
  const [first, ...others] = keys
  if (first === undefined || others.length === 0) {
    return yield* new Failure({ message: "There is only one key, so there is nothing to retire." })
  }
  if (yes) return [first]
  const last = newest(keys)
  // If the newest key is not the sealing key, step 2 (`promote`) was probably forgotten.
  const slip =
    last === undefined || last === first
      ? ""
      : ` The newest key, ${last.kid}, does not seal yet. Did you mean rotate-seal-key promote?`
  return yield* new Failure({
    message: `This removes ${others.map(({ kid }) => kid).join(", ")}. Servers will reject tokens sealed with a removed key. Tokens are valid for two minutes, so wait at least that long after the last server has been restarted with ${first.kid}, then run this command again with --yes.${slip}`
  })
})

const next = {
  add: (kids: string) =>
    `The keys are ${kids}. The last key is new and only opens tokens. Restart all servers with these keys, one at a time. Then run: rotate-seal-key promote`,
  promote: (kids: string) =>
    `The keys are ${kids}. The first key seals tokens. Restart all servers with these keys, one at a time. Two minutes after the last restart, run: rotate-seal-key retire --yes`,
  retire: (kids: string) =>
    `The remaining key is ${kids}. To finish the rotation, restart all servers with this key, one at a time.`
}

const rotate = Effect.fnUntraced(function* (
  stage: keyof typeof next,
  json: boolean,
  change: (keys: Keys) => Effect.Effect<Keys, Failure>
) {
  const { keys, path } = yield* updateSealKeys(process.env, change)
  const kids = keys.map(({ kid }) => kid)
  const value = path === undefined ? Redacted.value(Seal.formatKeys(keys)) : undefined
  if (json) yield* printJson({ stage, keys: kids, seals: kids[0], file: path, value })
  else if (value !== undefined) yield* print(value)
  yield* printNote(`${path === undefined ? "" : `Updated ${path}. `}${next[stage](kids.join(", "))}`)
})

const add = Command.make("add", { json }, ({ json }) => rotate("add", json, addTo)).pipe(
  Command.withDescription("Step 1: add a key that opens tokens but does not seal them yet")
)

const promote = Command.make(
  "promote",
  {
    name: optionalArgument("name", {
      description: "Key name, which is the part before the colon (default: the newest key)",
      expected: "a key name, which is the part before the colon",
      parse: matching(/^[\w-]{0,16}$/)
    }),
    json
  },
  ({ json, name = "" }) => rotate("promote", json, (keys) => promoteIn(keys, name))
).pipe(Command.withDescription("Step 2: seal with the newest key, or with the key that you specify"))

const retire = Command.make(
  "retire",
  { yes: booleanFlag("yes", "Confirm that tokens sealed with the removed keys will be rejected"), json },
  ({ json, yes }) => rotate("retire", json, (keys) => retireFrom(keys, yes))
).pipe(Command.withDescription("Step 3: remove all keys except the sealing key"))

/** Replaces the sealing key. */
export const command = Command.make("rotate-seal-key").pipe(Command.withSubcommands([add, promote, retire]))
