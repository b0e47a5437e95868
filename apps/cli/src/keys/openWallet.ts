/** Opens the wallet of a chain family: its key, and the keys that authenticate its policy. */
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Keys from "./Keys.js"
import type { Source } from "./KeySource.js"

/** Opens the wallet of a chain family: the key that `--wallet` names, the default key, or the key of a source. */
export const openWallet = Effect.fnUntraced(function* (family: Chain.Family, source?: Source) {
  return family === "evm"
    ? { family, ...(yield* source === undefined ? Keys.evm : Keys.openEvm(source)) }
    : { family, ...(yield* source === undefined ? Keys.solana : Keys.openSolana(source)) }
})

type Opening = ReturnType<typeof openWallet>

/** A wallet with its key. */
export type OpenedWallet = Effect.Success<Opening>

/** The errors that can occur when a wallet is opened. */
export type OpenError = Effect.Error<Opening>

/** What opening a wallet needs: the settings, and a terminal for the password. */
export type OpenEnvironment = Effect.Services<Opening>
