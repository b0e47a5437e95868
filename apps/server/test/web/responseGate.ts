/** A proxy to a chain's node on which a test holds responses: the node has sent them, and the server does not have them. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A gate that is open until `hold`. */
export interface Gate extends AsyncDisposable {
  readonly url: string
  /**
   * Holds responses to batches that contain all of these strings, the first one in every request. A batch with other
   * requests passes, because the server may need their results to go on. Returns when the first response is held.
   */
  readonly hold: (first: string, ...others: ReadonlyArray<string>) => Promise<void>
  /** Lets everything pass, including what was held. */
  readonly open: () => void
}

/** Whether every request in a batch contains the first mark, and the batch contains the others. */
const matches = (body: string, [first = "", ...others]: ReadonlyArray<string>): boolean => {
  const requests = [JSON.parse(body) as unknown].flat().map((request) => JSON.stringify(request))
  return requests.every((request) => request.includes(first)) && others.every((mark) => body.includes(mark))
}

/** Opens a gate in front of a node. */
export const openGate = async (target: string): Promise<Gate> => {
  let marks: ReadonlyArray<string> | undefined
  let arrived = (): void => undefined
  let release = (): void => undefined
  let opened = Promise.resolve()
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const answer = await fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body })
    const text = await answer.text()
    if (marks !== undefined && matches(body.toLowerCase(), marks)) {
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
    marks = undefined
    release()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (...strings) => {
      marks = strings.map((mark) => mark.toLowerCase())
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
