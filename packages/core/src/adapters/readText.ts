/**
 * Reads a response body as text. Stops reading and returns `undefined` if the body exceeds `maxBytes` after
 * decompression.
 */
export const readText = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  const { body } = response
  if (body === null) return ""
  // React Native reads the entire response before it returns one, and has no stream.
  if (body === undefined) {
    const text = await response.text()
    return new TextEncoder().encode(text).length > maxBytes ? undefined : text
  }
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
