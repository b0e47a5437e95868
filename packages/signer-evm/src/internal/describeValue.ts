/** Describes values for error messages without showing them, because they may be keys. */
import { describeKind } from "@geoswap/core/adapters"

export { describeKind }

/** Returns a number as text, and describes the kind of any other value. */
export const describeValue = (value: unknown): string => (typeof value === "number" ? `${value}` : describeKind(value))
