/** The address of the wallet that would pay, for what only looks. */
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Keys from "./Keys.js"

/** The wallet of a family: what `--wallet` names, or that of the key. */
export const walletOf = (family: Chain.Family) =>
  Effect.flatMap(Keys.addressOf(family), (address) =>
    address === undefined
      ? Effect.fail(
          new Keys.KeyError({
            message: `There is no wallet for ${Keys.familyName[family]} chains.`,
            next: "Name one with --wallet <address>, or a key with geoswap init."
          })
        )
      : Effect.succeed(address)
  )
