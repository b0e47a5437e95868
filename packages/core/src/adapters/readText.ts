/** Reads a body as text. Returns `undefined` and stops reading if it is longer than `maxBytes` after decompression. */
export const readText = async ({ body }: Response, maxBytes: number): Promise<string | undefined> => {
  if (body === null) return ""
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  // The received bytes are counted, since `Content-Length` is not trusted.
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) break
    text += decoder.decode(value, { stream: true })
  }
  // Not awaited: it does not matter when the connection closes.
  reader.cancel().catch(() => undefined)
  return undefined
}
