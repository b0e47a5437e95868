/**
 * Reads a response body as text. Stops reading and returns `undefined` if the body exceeds `maxBytes` after
 * decompression.
 */
export const readText = async ({ body }: Response, maxBytes: number): Promise<string | undefined> => {
  if (body === null) return ""
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  // Count the received bytes, because `Content-Length` is not trusted.
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) break
    text += decoder.decode(value, { stream: true })
  }
  // Not awaited, because it does not matter when the connection closes.
  reader.cancel().catch(() => undefined)
  return undefined
}
