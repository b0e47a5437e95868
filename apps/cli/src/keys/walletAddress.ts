/** The address of the wallet that would pay, for commands that do not sign. */
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Keys from "./Keys.js"

/** Returns the wallet address for a chain family, from `--wallet` or the key. Fails if neither provides an address. */
export const walletAddress = (family: Chain.Family) =>
  Effect.flatMap(Keys.addressOf(family), (address) =>
    address === undefined
      ? Effect.fail(
          new Keys.KeyError({
            message: `There is no wallet for ${Keys.familyName[family]} chains.`,
            next: "Pass --wallet <address>, or add a key with geoswap init."
          })
        )
      : Effect.succeed(address)
  )
