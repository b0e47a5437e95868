/** `geoswap config`: the configuration file, field by field. Nothing secret is shown. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as ConfigFile from "../config/ConfigFile.js"
import { UsageError } from "../output/Exit.js"
import { Flags } from "./Flags.js"
import { forShell } from "../output/shellQuote.js"
import { Host } from "../node/Host.js"
import { clean } from "../output/text.js"
import { Output, toJson } from "../output/Output.js"

/** A URL without what could be a key in it. */
export const maskUrl = (text: string): string => {
  if (!URL.canParse(text)) return "(hidden)"
  const { origin, pathname, search, username } = new URL(text)
  return pathname.length > 1 || search !== "" || username !== "" ? `${origin}/…` : text
}

/** A value of the file with the URLs of nodes masked: many hold a key. */
const masked = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(masked)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]: [string, unknown]) => [
            name,
            name === "rpcUrl" && typeof inner === "string" ? maskUrl(inner) : masked(inner)
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
          message: `"${clean(field)}" names no field.`,
          next: "Write it with dots, such as service.url or policy.maxFeeBps."
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

/** The value with one field of it changed, or removed where the new one is `null`. */
const withValue = (value: unknown, names: ReadonlyArray<string>, change: unknown): unknown => {
  const [name, ...rest] = names
  if (name === undefined) return change
  const fields = isObject(value) ? value : {}
  const { [name]: old, ...others } = fields
  const changed = withValue(old, rest, change)
  return changed === null ? others : { ...others, [name]: changed }
}

/** Prints the file. */
export const show = Effect.fnUntraced(function* () {
  const output = yield* Output
  const { config, exists, path } = yield* file
  const shown = masked(yield* config)
  yield* output.answer({ path, exists, config: shown }, ({ dim }) =>
    [dim(exists ? path : `${path} (not written yet)`), toJson(shown, 2)].join("\n")
  )
})

/** Prints where the file is. */
export const path = Effect.fnUntraced(function* () {
  const output = yield* Output
  const { exists, path } = yield* file
  yield* output.answer({ path, exists }, () => path)
})

/** Prints one field. */
export const get = Effect.fnUntraced(function* ({ field }: { readonly field: string }) {
  const output = yield* Output
  const names = yield* fieldsOf(field)
  const value = valueAt(masked(yield* (yield* file).config), names)
  if (value === undefined) {
    return yield* new ConfigFile.SettingsError({
      message: `${clean(field)} is not set.`,
      next: `Set it with geoswap config set ${forShell(field)} <value>`
    })
  }
  yield* output.answer({ field, value }, () => (typeof value === "string" ? value : toJson(value, 2)))
})

/** A value as it was typed: JSON where it is some, otherwise the text itself. */
const typed = (text: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(text), text]
  } catch {
    return [text]
  }
}

/** Changes one field. */
export const set = Effect.fnUntraced(function* ({
  field,
  value: text
}: {
  readonly field: string
  readonly value: string
}) {
  const output = yield* Output
  const names = yield* fieldsOf(field)
  const { config, exists, path } = yield* file
  const before = exists ? yield* config : {}
  const attempt = (value: unknown) => ConfigFile.parse(JSON.stringify(withValue(before, names, value)), path)
  const [first, ...others] = typed(text)
  // Told about the last form: what cannot be a text was typed as it should be.
  const after = yield* others.reduce<ReturnType<typeof attempt>>(
    (before, value) => Effect.catch(before, (error) => Effect.mapError(attempt(value), () => error)),
    attempt(first)
  )
  yield* ConfigFile.write(path, after)
  const value = valueAt(masked(after), names) ?? null
  yield* output.answer({ field, value, path }, () =>
    value === null ? `${field} is removed from ${path}` : `${field} is set in ${path}`
  )
})
