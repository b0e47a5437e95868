/** What every constructor takes besides the wallet. */
import { Chain } from "@geoswap/core"
import { hasMembers, invalid, kindOf, type Members, reading } from "./given.js"

/** Anything that sends a JSON-RPC request: a viem client, or an EIP-1193 provider such as `window.ethereum`. */
export interface Requester {
  // A method, since the functions of viem and of wallets take narrower arguments than any one type says.
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

/** What a signer can be told. */
export interface Options {
  /**
   * Clients to read contracts with, by chain id. Where a deployment pins a `codeHash`, the code of its delegate is
   * compared with it on these chains.
   */
  readonly rpc?: Readonly<Record<number, Requester>> | undefined
  /** What errors call the wallet, "The wallet" for example. */
  readonly name?: string | undefined
}

/** A `request` bound to its client; viem's clients take how often to repeat it. */
export type Request = (
  args: Parameters<Requester["request"]>[0],
  how?: { readonly retryCount: number }
) => Promise<unknown>

/** The options, read once. */
export interface Settled {
  readonly rpc: ReadonlyMap<number, Request>
  readonly name: string | undefined
}

/** The `request` of a client, bound to it. */
export const requestOf = (field: string, client: unknown, what = "a viem client or an EIP-1193 provider"): Request => {
  const request = hasMembers(client) ? (client as Members<"request">).request : undefined
  if (typeof request !== "function") {
    throw invalid(field, `should be ${what}, with a request function, and is ${kindOf(client)}.`)
  }
  return (...args) => Reflect.apply(request, client, args) as Promise<unknown>
}

/** Reads the options; throws `InvalidInput` where one makes no sense. */
export const settle = (options: Options | undefined): Settled =>
  reading("options", () => {
    if (options !== undefined && !hasMembers(options)) {
      throw invalid("options", `should be an object, and is ${kindOf(options)}.`)
    }
    const { rpc = {}, name } = (options ?? {}) as Members<"rpc" | "name">
    if (name !== undefined && (typeof name !== "string" || name.trim() === "" || name.length > 60)) {
      throw invalid("options.name", `should be a text of 1 to 60 characters, and is ${kindOf(name)}.`)
    }
    // A Map has no entries of its own: taken for an object, it would leave every code unread.
    if (!hasMembers(rpc) || rpc instanceof Map) {
      const found = rpc instanceof Map ? "a Map" : kindOf(rpc)
      throw invalid("options.rpc", `should hold clients by chain id, such as { 8453: client }, and is ${found}.`)
    }
    const clients = Object.entries(rpc).map(([key, client]) => {
      if (!Chain.isChainId(Number(key))) {
        throw invalid("options.rpc", "should hold clients by chain id, such as { 8453: client }.")
      }
      return [Number(key), requestOf(`options.rpc[${Number(key)}]`, client)] as const
    })
    return { rpc: new Map(clients), name }
  })
