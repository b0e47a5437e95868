/** Scripted JSON-RPC servers, with a secret in the URL that must not appear in any error. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** For each method, a function that returns the response: a result, `{ error }`, or `raw` for anything else. */
export type Script = Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>>

/** Lets a script write the response directly. */
export const raw = (answer: (response: ServerResponse) => void) => ({ answer })

/** A JSON-RPC error. */
export const refusal = (code: number, message: string) => ({ error: { code, message } })

export const secret = "k3y-in-the-path"

export interface RpcServer {
  readonly url: string
  /** Every request so far, as `method(params)`. */
  readonly requests: ReadonlyArray<string>
}

const running = new Set<Server>()

/** Closes all servers, for `afterEach`. */
export const closeServers = (): void => {
  for (const server of running) {
    server.closeAllConnections()
    server.close()
  }
  running.clear()
}

/**
 * The body, or `undefined` if the client disconnected before the body was read, for example after a timeout. In that
 * case, Node drops what has already arrived, even if it was everything.
 */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  let text = ""
  try {
    for await (const chunk of request) text += `${chunk}`
  } catch (error) {
    if (request.readableEnded) throw error
  }
  return request.readableEnded ? text : undefined
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Starts a server. Methods that are not in the script return an error. */
export const serve = async (script: Script): Promise<RpcServer> => {
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request)
      if (body === undefined) return undefined
      const { id, method, params } = JSON.parse(body) as {
        readonly id: number
        readonly method: string
        readonly params: ReadonlyArray<unknown>
      }
      requests.push(`${method}(${JSON.stringify(params).slice(1, -1)})`)
      const scripted = (script[method] ?? (() => refusal(-32601, `no ${method} at ${request.url}`)))(params)
      if (isObject(scripted) && "answer" in scripted) return (scripted as ReturnType<typeof raw>).answer(response)
      const failed = isObject(scripted) && "error" in scripted
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(failed ? scripted : { result: scripted }) }))
    })()
  })
  running.add(server)
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v2/${secret}?token=${secret}`, requests }
}
