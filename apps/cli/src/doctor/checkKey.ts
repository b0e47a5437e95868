/** The doctor's look at the keys. No keystore is opened: the doctor asks nothing. */
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Keys from "../keys/Keys.js"
import { type Finding, ok, orFail, warn } from "./finding.js"

/** What was found of a key, and the address where it can be told without a password. */
interface SeenKey {
  readonly findings: ReadonlyArray<Finding>
  readonly address: string | undefined
}

const missing = (family: Chain.Family): Finding =>
  warn(
    `${Keys.familyName[family]} key`,
    "there is none",
    `Name one with geoswap init, or set ${Keys.variables[family]}, to swap from ${Keys.familyName[family]} chains.`
  )

/** Looks at the key of a family. */
export const lookAtKey = (family: Chain.Family) =>
  Effect.gen(function* () {
    const about = `${Keys.familyName[family]} key`
    let address: string | undefined
    const look = Effect.gen(function* () {
      if (yield* Keys.looksElsewhere(family)) return []
      const source = yield* Keys.sourceOf(family)
      if (source === undefined) return [missing(family)]
      const known = yield* Keys.addressWithoutPassword(family)
      address = known
      return [ok(about, `${known ?? "encrypted"}, from ${Keys.wordsOf(source)}`)]
    })
    const findings = yield* orFail(about, look)
    const seen: SeenKey = { findings, address }
    return seen
  })
