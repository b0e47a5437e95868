/** Validates the fields of options. Without this validation, a field with a typo in its name would be silently ignored. */
import { InvalidInput } from "../SwapError.js"
import { closestName } from "./closestName.js"

/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>

/** A description of what a field expects, and a function that checks a value. */
export type Rule = readonly [expected: string, fits: (value: unknown) => boolean]

/** Whether a value is an object that is not a list. */
export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a function that checks every value of a list. */
export const list = (each: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(each)

/** Creates the error for an invalid field. */
export const invalidField = (field: string, message: string): InvalidInput =>
  new InvalidInput({ field, message: `${field}: ${message}` })

/** Returns the error for the first unknown or invalid field. */
export const findInvalidField = (
  path: string,
  fields: Fields,
  rules: Readonly<Record<string, Rule>>
): InvalidInput | undefined => {
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(rules, name)) {
      return invalidField(`${path}.${name}`, `unknown field. Did you mean ${closestName(name, Object.keys(rules))}?`)
    }
    const [expected, fits] = rules[name] as Rule
    if (value !== undefined && !fits(value)) return invalidField(`${path}.${name}`, `expected ${expected}.`)
  }
  return undefined
}
