/** What the conformance suites are made of: cases that any test runner can run. */

/** What a suite found wrong. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation"
}

/** Fails the case with words about what should have been. */
export const violated = (message: string): never => {
  throw new ContractViolation(message)
}

/** Requires something to hold. */
export const holds: (condition: boolean, message: string) => asserts condition = (condition, message) => {
  if (!condition) violated(message)
}

/** One thing that a signer must do. Give `name` and `run` to a test runner. */
export interface SignerCase {
  readonly name: string
  readonly run: () => Promise<void>
}
