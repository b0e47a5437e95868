/** The baseline for comparison: plain node:http with the same bodies, headers and JSON. */
import { randomUUID } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { answer } from "./childProcess.ts"
import { quoteFloor } from "./quoteFloor.ts"

/** Creates the response again for every request, as JSON of an object. */
interface Sample {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

let sample: Sample = { headers: {}, body: {} }
/** Computes the body of a quote from the key and the body of the request, instead of repeating the sample. */
let quoted: ReturnType<typeof quoteFloor> | undefined
let holding = false
const held: Array<ServerResponse> = []

const respond = (response: ServerResponse, text = JSON.stringify(sample.body)): void => {
  const headers = { ...sample.headers, "x-request-id": randomUUID(), "content-length": Buffer.byteLength(text) }
  response.writeHead(200, headers).end(text)
}

const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
  if (request.method === "GET") {
    if (holding) held.push(response)
    else respond(response)
    return
  }
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString()
    if (quoted !== undefined) return respond(response, quoted(String(request.headers["x-api-key"]), body))
    JSON.parse(body)
    respond(response)
  })
})

answer({
  listen: () =>
    new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
    }),
  like: (given: Sample) => {
    sample = given
    quoted = undefined
  },
  quote: (apiKey: string) => void (quoted = quoteFloor(apiKey)),
  hold: () => void (holding = true),
  waiting: () => held.length,
  release: () => {
    holding = false
    for (const response of held.splice(0)) respond(response)
  }
})
