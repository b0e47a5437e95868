const raw = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON

/** Serializes bigints as JSON numbers, which clients such as Kit read without losing precision. */
export const stringify = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? raw(inner.toString()) : inner))
