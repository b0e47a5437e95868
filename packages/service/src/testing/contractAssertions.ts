/**
 * Assertions for the conformance suite, independent of any test runner. A failed assertion throws an error, which the
 * suite reports.
 */
import { ContractViolation } from "@geoswap/core/testing"
import * as Equal from "effect/Equal"
import * as Formatter from "effect/Formatter"

/** Fails the case with a message. */
export const violated = (message: string): never => {
  throw new ContractViolation(message)
}

/** Fails the case unless the condition is true. */
export const holds: (condition: boolean, message: string) => asserts condition = (condition, message) => {
  if (!condition) violated(message)
}

const differ = (actual: unknown, expected: unknown): never =>
  violated(`expected ${Formatter.format(expected)}, got ${Formatter.format(actual)}.`)

/** Fails the case unless the values are equal. A field that is `undefined` does not equal a missing field. */
export const equals = (actual: unknown, expected: unknown): void => {
  if (!Equal.equals(actual, expected)) differ(actual, expected)
}

const includes = (actual: unknown, expected: unknown): boolean =>
  typeof expected === "object" && expected !== null
    ? typeof actual === "object" &&
      actual !== null &&
      Object.entries(expected).every(
        ([name, value]: [string, unknown]) => name in actual && includes(actual[name as keyof typeof actual], value)
      )
    : Equal.equals(actual, expected)

/** Fails the case unless the value has the expected fields, at any depth. The value may have additional fields. */
export const matches = (actual: unknown, expected: object): void => {
  if (!includes(actual, expected)) differ(actual, expected)
}
