/** Serialization of query data, for caches that are rendered on a server or persisted. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/**
 * Serializes query data as JSON, including the amounts (`bigint`) and the times (`Date`) of a swap. Use it for
 * `dehydrate.serializeData` of a `QueryClient`, together with `deserialize`.
 */
export const serialize = (data: unknown): string =>
  JSON.stringify(data, function (this: Readonly<Record<string, unknown>>, key, json: unknown) {
    // `json` is already the result of a date's `toJSON`.
    const value = this[key]
    if (typeof value === "bigint") return { $bigint: String(value) }
    return value instanceof Date ? { $date: json } : json
  })

/** Reads what `serialize` wrote. Use it for `hydrate.deserializeData` of a `QueryClient`. */
export const deserialize = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => {
    if (!isRecord(value) || Object.keys(value).length !== 1) return value
    const { $bigint, $date } = value
    if (typeof $bigint === "string" && /^-?\d+$/.test($bigint)) return BigInt($bigint)
    return typeof $date === "string" ? new Date($date) : value
  })
