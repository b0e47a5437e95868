/** Raw HTTP over a socket, for requests that no client would send. */
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** Bytes to send, a condition to wait for, or the end of the request. */
export type Step =
  | string
  | Uint8Array
  | { readonly wait: number }
  | { readonly until: Promise<unknown> }
  | { readonly end: true }

/** A request that no good client sends, and its expected response. */
export interface Malformed {
  readonly name: string
  readonly steps: (apiKey: string) => ReadonlyArray<Step>
  readonly status: number
  readonly code: string
  /** What the message must contain: the name of a field, or a phrase. */
  readonly says?: ReadonlyArray<string>
  /** Whether the server may close the connection instead. */
  readonly orClosed?: boolean
  /** Whether the response comes only after a timeout. */
  readonly slow?: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const partsOf = (bytes: Buffer): Answer | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n")
  const status = Number(first.split(" ")[1])
  // Skips interim responses.
  if (status < 200) return partsOf(bytes.subarray(end + 4))
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    })
  )
  const body = bytes.subarray(end + 4)
  const length = Number(headers["content-length"] ?? 0)
  return body.length < length ? undefined : { status, headers, text: body.subarray(0, length).toString() }
}

/** Sends steps and reads one response; `undefined` if the connection was closed without one. */
export const exchange = async (
  url: string,
  steps: ReadonlyArray<Step>,
  millis = 100_000
): Promise<Answer | undefined> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.setTimeout(millis)
  let received: Buffer = Buffer.alloc(0)
  const answered = new Promise<Answer | undefined>((resolve, reject) => {
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk])
      const answer = partsOf(received)
      if (answer !== undefined) resolve(answer)
    })
    socket.on("close", () => resolve(partsOf(received)))
    // The server may stop reading in the middle of a request.
    socket.on("error", () => resolve(partsOf(received)))
    socket.on("timeout", () => reject(new Error(`No answer within ${millis} ms.`)))
  })
  try {
    for (const step of steps) {
      if (socket.destroyed) break
      if (typeof step === "string" || step instanceof Uint8Array) socket.write(step)
      else if ("wait" in step) await Promise.race([sleep(step.wait), answered])
      else if ("until" in step) await Promise.race([step.until, answered])
      else socket.end()
    }
    return await answered
  } finally {
    socket.destroy()
  }
}

/** The text of a request; its length is computed unless the headers set it. */
export const requestText = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
  body: string | Uint8Array = ""
): Buffer => {
  const bytes = Buffer.from(body)
  const all: Record<string, string | undefined> = {
    host: "localhost",
    ...(bytes.length > 0 && { "content-length": String(bytes.length) }),
    ...headers
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  return Buffer.concat([Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n"), "latin1"), bytes])
}
