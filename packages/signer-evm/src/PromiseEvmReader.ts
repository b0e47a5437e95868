/** The promise version of the EVM reader. */
import { ChainReader } from "@geoswap/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { make, type Options } from "./EvmReader.js"

/** Options for `evmReader`. */
export type EvmReaderOptions = Options

/**
 * Reads EVM chains through your own nodes. Throws `InvalidInput` if an option is invalid.
 *
 * @example
 * ```ts
 * const evm = evmReader({ rpcUrls: { 8453: "https://base.example/your-key" } })
 * const client = createClient({ transport, signers, readers: { evm } })
 * ```
 */
export const evmReader = (options: EvmReaderOptions): ChainReader.PromiseEvmReader => {
  const exit = Effect.runSyncExit(make(options))
  if (exit._tag === "Success") return ChainReader.evmToPromise(exit.value)
  throw Cause.squash(exit.cause)
}
