/** A proxy to a chain's node on which a test holds responses: the node has sent them, and the server does not have them. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A gate that is open until `hold`. */
export interface Gate extends AsyncDisposable {
  readonly url: string
  /** The bodies of all requests so far that contain this string, without their IDs. */
  readonly seen: (mark: string) => ReadonlyArray<string>
  /** Holds responses to requests with exactly this body, as `seen` returns it. Returns when the first one is held. */
  readonly hold: (body: string) => Promise<void>
  /** Lets everything pass, including what was held. */
  readonly open: () => void
}

/** A body without the requests' IDs, in lower case. */
const withoutIds = (body: string): string =>
  JSON.stringify([JSON.parse(body) as unknown].flat(), (key, value: unknown) =>
    key === "id" ? undefined : value
  ).toLowerCase()

/** Opens a gate in front of a node. */
export const openGate = async (target: string): Promise<Gate> => {
  const bodies: Array<string> = []
  let heldBody: string | undefined
  let arrived = (): void => undefined
  let release = (): void => undefined
  let opened = Promise.resolve()
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const answer = await fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body })
    const text = await answer.text()
    const sent = withoutIds(body)
    bodies.push(sent)
    if (sent === heldBody) {
      arrived()
      await opened
    }
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
  }
  const server = createServer((request, response) => {
    // If the node is gone, the connection is closed.
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const open = () => {
    heldBody = undefined
    release()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: (mark) => bodies.filter((body) => body.includes(mark.toLowerCase())),
    hold: (body) => {
      heldBody = body
      opened = new Promise((resolve) => {
        release = resolve
      })
      return new Promise((resolve) => {
        arrived = resolve
      })
    },
    open,
    [Symbol.asyncDispose]: async () => {
      open()
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    }
  }
}
