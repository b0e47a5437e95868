/**
 * `geoswap-server rotate-seal-key …`: another key seals, and no server meets a token that it cannot open: the new key
 * is known to all before it seals, and the old one until nobody has a token of it.
 */
import { Seal } from "@geoswap/service"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { updateSealKeys, type Keys } from "../secrets/sealKeyStore.js"
import { Failure } from "../output/Failure.js"
import { printNote, print } from "../output/print.js"

interface Flags {
  readonly json: boolean
}

type Stage = "add" | "promote" | "retire"

/** The second in which `add` made a key is in its name: keys of other names count as older. */
const madeAt = (kid: string): number => {
  const [, seconds] = /^r([0-9a-f]{8,10})$/.exec(kid) ?? []
  return seconds === undefined ? 0 : Number.parseInt(seconds, 16)
}

const newest = (keys: Keys): Seal.Key | undefined =>
  keys.filter(({ kid }) => madeAt(kid) > 0).toSorted((a, b) => madeAt(b.kid) - madeAt(a.kid))[0]

const addTo = Effect.fnUntraced(function* (keys: Keys) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  // Newer than all others by its name also where a clock went back.
  const second = Math.max(now, ...keys.map(({ kid }) => madeAt(kid) + 1))
  return [...keys, yield* Seal.makeKey(`r${second.toString(16)}`)]
})

const promoteIn = (keys: Keys, name: string): Effect.Effect<Keys, Failure> => {
  const chosen = name === "" ? newest(keys) : keys.find(({ kid }) => kid === name)
  if (chosen !== undefined) return Effect.succeed([chosen, ...keys.filter((key) => key !== chosen)])
  const known = keys.map(({ kid }) => kid).join(", ")
  return Effect.fail(
    new Failure({
      message:
        name === ""
          ? `None of these keys was made by rotate-seal-key add: run that first, or name the one that is to seal: rotate-seal-key promote <name> (${known}).`
          : `There is no key of that name; there are ${known}.`
    })
  )
}

const retireFrom = (keys: Keys, yes: boolean): Effect.Effect<Keys, Failure> => {
  const [first, ...others] = keys
  const dropped = others.map(({ kid }) => kid).join(", ")
  if (first === undefined || others.length === 0) {
    return Effect.fail(new Failure({ message: "There is one key alone: nothing is to be retired." }))
  }
  if (yes) return Effect.succeed([first])
  const last = newest(keys)
  // The usual slip: the second stage was left out.
  const slip =
    last === undefined || last === first
      ? ""
      : ` The newest key, ${last.kid}, does not seal yet: is rotate-seal-key promote meant?`
  return Effect.fail(
    new Failure({
      message: `This drops ${dropped}: tokens that were sealed with it are refused from then on. They live for two minutes: wait so long after the last server was started with ${first.kid} first, and run it again with --yes.${slip}`
    })
  )
}

const next: Readonly<Record<Stage, (kids: string) => string>> = {
  add: (kids) =>
    `The keys are ${kids}: the last is new and only opens. Restart all servers with them, one after the other; then: rotate-seal-key promote`,
  promote: (kids) =>
    `The keys are ${kids}: the first seals. Restart all servers with them, one after the other; two minutes after the last one: rotate-seal-key retire --yes`,
  retire: (kids) => `The key is ${kids}. Restart all servers with it, one after the other: that ends the rotation.`
}

const rotate = Effect.fnUntraced(function* (
  stage: Stage,
  json: boolean,
  change: (keys: Keys) => Effect.Effect<Keys, Failure>
) {
  const { keys, path } = yield* updateSealKeys(process.env, change)
  const kids = keys.map(({ kid }) => kid)
  const value = path === undefined ? Redacted.value(Seal.formatKeys(keys)) : undefined
  if (json) {
    yield* print(
      JSON.stringify({ stage, keys: kids, seals: kids[0], ...(value === undefined ? { file: path } : { value }) })
    )
  } else if (value !== undefined) yield* print(value)
  yield* printNote(`${path === undefined ? "" : `${path} is rewritten. `}${next[stage](kids.join(", "))}`)
})

/** A new key, which all servers know before it seals. */
export const add = ({ json }: Flags) => rotate("add", json, addTo)

/** The newest key, or the one of that name, seals from now on. */
export const promote = ({ json, name = "" }: Flags & { readonly name: string | undefined }) =>
  rotate("promote", json, (keys) => promoteIn(keys, name))

/** Drops all keys but the one that seals. */
export const retire = ({ json, yes }: Flags & { readonly yes: boolean }) =>
  rotate("retire", json, (keys) => retireFrom(keys, yes))
