/** What every constructor takes besides the wallet. */
import { Chain } from "@geoswap/core"
import { invalidInput, readInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import { isObject, type Properties } from "./properties.js"

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
export interface ResolvedOptions {
  readonly rpc: ReadonlyMap<number, Request>
  readonly name: string | undefined
}

/** The `request` of a client, bound to it. */
export const requestOf = (field: string, client: unknown, what = "a viem client or an EIP-1193 provider"): Request => {
  const request = isObject(client) ? (client as Properties<"request">).request : undefined
  if (typeof request !== "function") {
    throw invalidInput(field, `should be ${what}, with a request function, and is ${describeKind(client)}.`)
  }
  return (...args) => Reflect.apply(request, client, args) as Promise<unknown>
}

/** Letters, digits, signs and spaces: nothing that starts a line, turns the text around or cannot be seen. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,60}$/u

const isName = (name: unknown): name is string =>
  typeof name === "string" && name.length <= 60 && printable.test(name) && name.trim() !== ""

/** Whether all that a value holds are its own entries. Of a Map or of an instance every client would be overlooked. */
const isPlain = (value: unknown): value is object => {
  const prototype: unknown = isObject(value) ? Object.getPrototypeOf(value) : undefined
  return prototype === null || prototype === Object.prototype
}

/** Reads the options; throws `InvalidInput` where one makes no sense. */
export const resolveOptions = (options: Options | undefined): ResolvedOptions =>
  readInput("options", () => {
    if (options !== undefined && !isObject(options)) {
      throw invalidInput("options", `should be an object, and is ${describeKind(options)}.`)
    }
    const { rpc = {}, name } = (options ?? {}) as Properties<"rpc" | "name">
    if (name !== undefined && !isName(name)) {
      throw invalidInput(
        "options.name",
        `should be a text of 1 to 60 printable characters, and is ${describeKind(name)}.`
      )
    }
    if (!isPlain(rpc)) {
      const found =
        isObject(rpc) && !Array.isArray(rpc) ? "a Map, a function or an object of a class" : describeKind(rpc)
      throw invalidInput("options.rpc", `should hold clients by chain id, such as { 8453: client }, and is ${found}.`)
    }
    const clients = Object.entries(rpc).map(([key, client]) => {
      if (!Chain.isChainId(Number(key))) {
        throw invalidInput("options.rpc", "should hold clients by chain id, such as { 8453: client }.")
      }
      return [Number(key), requestOf(`options.rpc[${Number(key)}]`, client)] as const
    })
    return { rpc: new Map(clients), name }
  })
