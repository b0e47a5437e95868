/** Cases and assertions for the conformance suites. They work with any test runner. */

/** A case in a conformance suite failed. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation"
}

/** Fails the case with a message. */
export const violated = (message: string): never => {
  throw new ContractViolation(message)
}

/** Fails the case unless the condition holds. */
export const holds: (condition: boolean, message: string) => asserts condition = (condition, message) => {
  if (!condition) violated(message)
}

/** One case in the suite. Pass `name` and `run` to a test runner. */
export interface SignerCase {
  readonly name: string
  readonly run: () => Promise<void>
}
