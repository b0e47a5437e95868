/** Handles `geoswap config`: shows and changes fields in the configuration file. Secrets are hidden. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as ConfigFile from "../../config/ConfigFile.js"
import { UsageError } from "../../output/Exit.js"
import { Flags } from "../../flags/Flags.js"
import { shellQuote } from "../../output/shellQuote.js"
import { Host } from "../../node/Host.js"
import { stripControls } from "../../output/sanitize.js"
import { Output, toJson } from "../../output/Output.js"

/** Hides the parts of a URL that could contain a key. */
export const maskUrl = (text: string): string => {
  if (!URL.canParse(text)) return "(hidden)"
  const { origin, pathname, search, username } = new URL(text)
  return pathname.length > 1 || search !== "" || username !== "" ? `${origin}/…` : text
}

/** Masks the node URLs in a value, because many contain a key. */
const mask = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(mask)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]: [string, unknown]) => [
            name,
            name === "rpcUrl" && typeof inner === "string" ? maskUrl(inner) : mask(inner)
          ])
        )
      : value

const file = Effect.gen(function* () {
  const flags = yield* Flags
  const host = yield* Host
  const path = ConfigFile.pathOf(flags, host)
  return { path, exists: existsSync(path), config: ConfigFile.read(flags, host) }
})

const fieldsOf = (field: string): Effect.Effect<ReadonlyArray<string>, UsageError> => {
  const names = field.split(".")
  return names.some((name) => name === "" || name === "__proto__")
    ? Effect.fail(
        new UsageError({
          message: `"${stripControls(field)}" is not a configuration field.`,
          next: "Use a path such as service.url or policy.maxFeeBps."
        })
      )
    : Effect.succeed(names)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const valueAt = (value: unknown, names: ReadonlyArray<string>): unknown =>
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
  const output = yield* Output
  const { config, exists, path } = yield* file
  const shown = mask(yield* config)
  yield* output.result({ path, exists, config: shown }, ({ dim }) =>
    [dim(exists ? path : `${path} (does not exist yet)`), toJson(shown, 2)].join("\n")
  )
})

/** Prints the path of the configuration file. */
export const path = Effect.fnUntraced(function* () {
  const output = yield* Output
  const { exists, path } = yield* file
  yield* output.result({ path, exists }, () => path)
})

/** Prints one field of the configuration. */
export const get = Effect.fnUntraced(function* ({ field }: { readonly field: string }) {
  const output = yield* Output
  const names = yield* fieldsOf(field)
  const value = valueAt(mask(yield* (yield* file).config), names)
  if (value === undefined) {
    return yield* new ConfigFile.SettingsError({
      message: `${stripControls(field)} is not set.`,
      next: `Run geoswap config set ${shellQuote(field)} <value>`
    })
  }
  yield* output.result({ field, value }, () => (typeof value === "string" ? value : toJson(value, 2)))
})

/**
 * The values that an argument could represent, in order of preference: first the parsed JSON, if the argument is valid
 * JSON, and then the string itself.
 */
const parseValue = (text: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(text), text]
  } catch {
    return [text]
  }
}

/** Changes one field of the configuration. */
export const set = Effect.fnUntraced(function* ({
  field,
  value: text
}: {
  readonly field: string
  readonly value: string
}) {
  const output = yield* Output
  const names = yield* fieldsOf(field)
  const { config, path, save } = yield* ConfigFile.edit
  // The file was valid before, so an error is about the new value.
  const attempt = (value: unknown) =>
    Effect.catchTag(save(withValue(config, names, value)), "SettingsError", ({ errors = [] }) =>
      Effect.fail(
        new UsageError({
          message: errors.join("\n"),
          next: "Nothing was changed. Run the command again with a valid field and value."
        })
      )
    )
  const [first, ...others] = parseValue(text)
  // If neither the parsed JSON nor the string is valid, the error for the parsed JSON is reported.
  const after = yield* others.reduce<ReturnType<typeof attempt>>(
    (before, value) => Effect.catch(before, (error) => Effect.mapError(attempt(value), () => error)),
    attempt(first)
  )
  const value = valueAt(mask(after), names) ?? null
  yield* output.result({ field, value, path }, () =>
    value === null ? `Removed ${field} from ${path}` : `Set ${field} in ${path}`
  )
})
