/** The rules for the names of keys and contacts: no two may look alike, because a name decides who is paid. */
import * as Effect from "effect/Effect"
import { isConfusable } from "../chains/tokenSymbols.js"
import { usage } from "../output/Exit.js"
import { stripControls } from "../output/sanitize.js"
import type { ConfigFile } from "./ConfigFile.js"

/** The description of a valid name, for error messages. */
export const nameFormat = "1 to 31 ASCII letters, digits, dots, underscores and dashes, starting with a letter"

/** Whether a text is a valid name. An address is never a name. */
export const isName = (text: string) => /^[A-Za-z][A-Za-z0-9._-]{0,30}$/.test(text)

/** Whether all names are valid, and no two of them look alike. */
export const areDistinct = (names: ReadonlyArray<string>) =>
  names.every((name, at) => isName(name) && names.slice(at + 1).every((other) => !isConfusable(name, other)))

/** Whether two names are the same. The case is ignored. */
export const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Fails unless a name is free: not used by a key or contact, and not similar to one. Similar names could divert a payment. */
export const checkName = Effect.fnUntraced(function* (name: string, { contacts, keys }: ConfigFile, except?: string) {
  if (!isName(name) || isSameName(name, "evm") || isSameName(name, "solana")) {
    return yield* usage(`"${stripControls(name)}" is not a name.`, `Use ${nameFormat}, but not evm or solana.`)
  }
  const names = Object.keys({ ...keys, ...contacts })
  const other = names.find((one) => one !== except && isConfusable(one, name))
  if (other !== undefined) {
    return yield* usage(`"${name}" is taken, or looks like "${other}".`, "Use another name, or remove that one first.")
  }
})
