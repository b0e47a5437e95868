/** The promise version of the Solana reader. */
import { ChainReader } from "@geoswap/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { make, type Options } from "./SolanaReader.js"

/** Options for `solanaReader`. */
export type SolanaReaderOptions = Options

/**
 * Reads Solana networks through your own nodes. Throws `InvalidInput` if an option is invalid.
 *
 * @example
 * ```ts
 * const solana = solanaReader({ rpcUrls: { 792703809: "https://solana.example/your-key" } })
 * const client = createClient({ transport, signers, readers: { solana } })
 * ```
 */
export const solanaReader = (options: SolanaReaderOptions): ChainReader.PromiseSolanaReader => {
  const exit = Effect.runSyncExit(make(options))
  if (exit._tag === "Success") return ChainReader.solanaToPromise(exit.value)
  throw Cause.squash(exit.cause)
}
