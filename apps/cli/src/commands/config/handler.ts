/** Handles `geoswap config`: shows and changes fields in the configuration file. Secrets are hidden. */
import * as Effect from "effect/Effect"
import * as ConfigFile from "../../config/ConfigFile.js"
import { usage } from "../../output/Exit.js"
import { shellQuote } from "../../output/shellQuote.js"
import { stripControls } from "../../output/sanitize.js"
import * as Output from "../../output/Output.js"

/** Hides the parts of a URL that could contain a key. */
const maskUrl = (text: string) => {
  if (!URL.canParse(text)) return "(hidden)"
  const { origin, pathname, search, username } = new URL(text)
  return pathname.length > 1 || search !== "" || username !== "" ? `${origin}/…` : text
}

/** Masks the node URLs in a configuration, because many contain a key. */
const mask = (config: ConfigFile.ConfigFile): unknown =>
  JSON.parse(
    JSON.stringify(config, (name, value: unknown) =>
      name === "rpcUrl" && typeof value === "string" ? maskUrl(value) : value
    )
  )

const fieldsOf = Effect.fnUntraced(function* (field: string) {
  const names = field.split(".")
  if (names.every((name) => name !== "" && name !== "__proto__")) return names
  return yield* usage(
    `"${stripControls(field)}" is not a configuration field.`,
    "Use a path such as service.url or policy.maxFeeBps."
  )
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const valueAt = (value: unknown, names: ReadonlyArray<string>) =>
  names.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value
  )

/** Returns a copy of a value with one field changed, or without that field if the field's new value is `null`. */
const withValue = (value: unknown, names: ReadonlyArray<string>, change: unknown): unknown => {
  const [name, ...rest] = names
  if (name === undefined) return change
  const fields = isObject(value) ? value : {}
  const { [name]: old, ...others } = fields
  const changed = withValue(old, rest, change)
  return changed === null ? others : { ...others, [name]: changed }
}

/** Prints the configuration file. */
export const show = Effect.fnUntraced(function* () {
  const { exists, path, read } = yield* ConfigFile.file
  const shown = mask(yield* read)
  yield* Output.result({ path, exists, config: shown }, ({ dim }) =>
    [dim(exists ? path : `${path} (does not exist yet)`), Output.toJson(shown, 2)].join("\n")
  )
})

/** Prints the path of the configuration file. */
export const path = Effect.fnUntraced(function* () {
  const { exists, path } = yield* ConfigFile.file
  yield* Output.result({ path, exists }, () => path)
})

/** Prints one field of the configuration. */
export const get = Effect.fnUntraced(function* ({ field }: { readonly field: string }) {
  const names = yield* fieldsOf(field)
  const value = valueAt(mask(yield* (yield* ConfigFile.file).read), names)
  if (value === undefined) {
    return yield* ConfigFile.settingsError(
      `${stripControls(field)} is not set.`,
      `Run geoswap config set ${shellQuote(field)} <value>`
    )
  }
  yield* Output.result({ field, value }, () => (typeof value === "string" ? value : Output.toJson(value, 2)))
})

/** Returns the value that an argument represents: JSON or, if it is not valid JSON, a string. */
const parseValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Changes one field of the configuration. */
export const set = Effect.fnUntraced(function* (args: { readonly field: string; readonly value: string }) {
  const { field } = args
  const names = yield* fieldsOf(field)
  const { config, path, save } = yield* ConfigFile.edit
  const attempt = (value: unknown) => save(withValue(config, names, value))
  // A string can also be valid JSON, such as a number. If neither is valid, the error is the one for the JSON.
  const after = yield* Effect.catchTag(attempt(parseValue(args.value)), "SettingsError", ({ errors = [] }) =>
    Effect.catchTag(attempt(args.value), "SettingsError", () =>
      Effect.fail(usage(errors.join("\n"), "Nothing was changed. Run the command again with a valid field and value."))
    )
  )
  const value = valueAt(mask(after), names) ?? null
  yield* Output.result({ field, value, path }, () =>
    value === null ? `Removed ${field} from ${path}` : `Set ${field} in ${path}`
  )
})
