/** A conformance suite for signers. */
import type { SignerCase } from "./contractAssertions.js"
import { evmCases, type EvmSignerOptions } from "./evmSignerCases.js"
import { solanaCases, type SolanaSignerOptions } from "./solanaSignerCases.js"

export type { EvmSignerOptions, SignerCase, SolanaSignerOptions }

/**
 * Returns the cases that a signer must pass. The cases work with any test runner.
 *
 * @example
 * ```ts
 * for (const { name, run } of signerContract({ family: "evm", make, recoverMessage, recoverAuthorization })) {
 *   it(name, run)
 * }
 * ```
 */
export const signerContract = (options: EvmSignerOptions | SolanaSignerOptions): ReadonlyArray<SignerCase> =>
  options.family === "evm" ? evmCases(options) : solanaCases(options)
