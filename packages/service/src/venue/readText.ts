/** Reads the body of a response. */

/** Returns the body as a string. `undefined` if it has more than `maxBytes` bytes after decompression. */
export const readText = async ({ body }: Response, maxBytes: number): Promise<string | undefined> => {
  if (body === null) return ""
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  // Content-Length is not trusted. The received bytes are counted.
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) break
    text += decoder.decode(value, { stream: true })
  }
  // Not awaited: the result does not matter.
  reader.cancel().catch(() => undefined)
  return undefined
}
