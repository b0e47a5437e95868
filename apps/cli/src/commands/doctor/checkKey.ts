/** Checks the key for a chain family, without opening a keystore or asking for a password. */
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Keys from "../../keys/Keys.js"
import { type Finding, ok, orFail, warn } from "./finding.js"

/** The findings about a key, and its address if the address is known without a password. */
interface CheckedKey {
  readonly findings: ReadonlyArray<Finding>
  readonly address: string | undefined
}

const missing = (family: Chain.Family): Finding =>
  warn(
    `${Keys.familyName[family]} key`,
    "not configured",
    `To swap from ${Keys.familyName[family]} chains, add a key with geoswap init, or set ${Keys.variables[family]}.`
  )

/** Checks the key for a chain family. */
export const checkKey = (family: Chain.Family) =>
  Effect.gen(function* () {
    const about = `${Keys.familyName[family]} key`
    let address: string | undefined
    const check = Effect.gen(function* () {
      if (yield* Keys.isOtherFamily(family)) return []
      const source = yield* Keys.sourceOf(family)
      if (source === undefined) return [missing(family)]
      const known = yield* Keys.addressWithoutPassword(family)
      address = known
      return [ok(about, `${known ?? "encrypted"}, from ${Keys.describeSource(source)}`)]
    })
    const findings = yield* orFail(about, check)
    const checked: CheckedKey = { findings, address }
    return checked
  })
