/** Reading the body of an answer. */

/** The text of a body, or `undefined` where it has more than `most` bytes once decompressed; the rest is not read. */
export const readText = async ({ body }: Response, maxBytes: number): Promise<string | undefined> => {
  if (body === null) return ""
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  // What Content-Length announces proves nothing: what comes is counted.
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) break
    text += decoder.decode(value, { stream: true })
  }
  // Not waited for: that the connection is closed, or was already, changes nothing here.
  reader.cancel().catch(() => undefined)
  return undefined
}
