/** The cases and assertions of the conformance suites, for any test runner. */

/** A case of a conformance suite failed. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation"
}

/** Fails the case with a message. */
export const violated = (message: string): never => {
  throw new ContractViolation(message)
}

/** Fails the case unless the condition is true. */
export const holds: (condition: boolean, message: string) => asserts condition = (condition, message) => {
  if (!condition) violated(message)
}

/** One case of the suite. Pass `name` and `run` to a test runner. */
export interface SignerCase {
  readonly name: string
  readonly run: () => Promise<void>
}
