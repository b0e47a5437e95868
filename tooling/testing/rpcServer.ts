/** JSON-RPC servers that answer what a test says, on a port and with a path that no error may repeat. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What a server gives for a method: a result, `{ error }`, or anything by hand through `raw`. */
export type Script = Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>>

/** Answers by hand. */
export const raw = (answer: (response: ServerResponse) => void) => ({ answer })

/** A JSON-RPC error. */
export const refusal = (code: number, message: string) => ({ error: { code, message } })

export const secret = "k3y-in-the-path"

export interface RpcServer {
  readonly url: string
  /** Every request so far, as `method(params)`. */
  readonly asked: ReadonlyArray<string>
}

const running = new Set<Server>()

/** Ends all servers, for `afterEach`. */
export const closeServers = (): void => {
  for (const server of running) {
    server.closeAllConnections()
    server.close()
  }
  running.clear()
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request) text += `${chunk}`
  return text
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Starts a server; methods that the script lacks are unknown to it. */
export const serve = async (script: Script): Promise<RpcServer> => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    void (async () => {
      const { id, method, params } = JSON.parse(await bodyOf(request)) as {
        readonly id: number
        readonly method: string
        readonly params: ReadonlyArray<unknown>
      }
      asked.push(`${method}(${JSON.stringify(params).slice(1, -1)})`)
      const given = (script[method] ?? (() => refusal(-32601, `no ${method} at ${request.url}`)))(params)
      if (isObject(given) && "answer" in given) return (given as ReturnType<typeof raw>).answer(response)
      const failed = isObject(given) && "error" in given
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(failed ? given : { result: given }) }))
    })()
  })
  running.add(server)
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v2/${secret}?token=${secret}`, asked }
}
