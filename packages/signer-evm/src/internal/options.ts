/** Options for every signer constructor. */
import { Chain } from "@geoswap/core"
import type { OnFailure } from "@geoswap/core/adapters"
import { invalidInput, readInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import { isObject, type Properties } from "./properties.js"

/** Anything that sends JSON-RPC requests: a viem client, or an EIP-1193 provider such as `window.ethereum`. */
export interface Requester {
  // A method, so that the narrower argument types used by viem and wallets are assignable.
  request(args: { readonly method: string; readonly params?: unknown }): Promise<unknown>
}

/** Options for a signer. */
export interface Options {
  /**
   * Clients for reading contracts, by chain id. On a chain that has a client, the delegate's code is compared with the
   * deployment's `codeHash`, if the deployment pins one.
   */
  readonly rpc?: Readonly<Record<number, Requester>> | undefined
  /** The wallet's name in error messages, for example "The wallet". */
  readonly name?: string | undefined
  /**
   * Called with the original error if the wallet or the key service fails. The error may contain a key, a signature or
   * a URL with a secret, so do not log it as it is.
   */
  readonly onFailure?: OnFailure | undefined
}

/** A `request` function bound to its client. viem clients accept a retry count. */
export type Request = (
  args: Parameters<Requester["request"]>[0],
  options?: { readonly retryCount: number }
) => Promise<unknown>

/** The validated options, each read once. */
export interface ResolvedOptions {
  readonly rpc: ReadonlyMap<number, Request>
  readonly name: string | undefined
  readonly onFailure: OnFailure | undefined
}

/** Returns the client's `request` function, bound to the client. */
export const bindRequest = (
  field: string,
  client: unknown,
  what = "a viem client or an EIP-1193 provider"
): Request => {
  const request = isObject(client) ? (client as Properties<"request">).request : undefined
  if (typeof request !== "function") {
    throw invalidInput(field, `expected ${what} with a request function, got ${describeKind(client)}.`)
  }
  return (...args) => Reflect.apply(request, client, args) as Promise<unknown>
}

/**
 * The form of a name: letters, digits, punctuation, symbols and spaces, but no line breaks, direction marks or
 * invisible characters.
 */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,60}$/u

const isName = (name: unknown): name is string =>
  typeof name === "string" && name.length <= 60 && printable.test(name) && name.trim() !== ""

/** Whether a value is a plain object. If the clients were in a Map or a class instance, they would not be found. */
const isPlain = (value: unknown): value is object => {
  const prototype: unknown = isObject(value) ? Object.getPrototypeOf(value) : undefined
  return prototype === null || prototype === Object.prototype
}

/** Reads the options. Throws `InvalidInput` if an option is invalid. */
export const resolveOptions = (options: Options | undefined): ResolvedOptions =>
  readInput("options", () => {
    if (options !== undefined && !isObject(options)) {
      throw invalidInput("options", `expected an object, got ${describeKind(options)}.`)
    }
    const { rpc = {}, name, onFailure } = (options ?? {}) as Properties<"rpc" | "name" | "onFailure">
    if (name !== undefined && !isName(name)) {
      throw invalidInput("options.name", `expected 1 to 60 printable characters, got ${describeKind(name)}.`)
    }
    if (onFailure !== undefined && typeof onFailure !== "function") {
      throw invalidInput("options.onFailure", `expected a function, got ${describeKind(onFailure)}.`)
    }
    if (!isPlain(rpc)) {
      const found = isObject(rpc) && !Array.isArray(rpc) ? "a Map, a function or a class instance" : describeKind(rpc)
      throw invalidInput("options.rpc", `expected clients by chain id, such as { 8453: client }, got ${found}.`)
    }
    const clients = Object.entries(rpc).map(([key, client]) => {
      if (!Chain.isChainId(Number(key))) {
        throw invalidInput("options.rpc", "expected clients by chain id, such as { 8453: client }.")
      }
      return [Number(key), bindRequest(`options.rpc[${Number(key)}]`, client)] as const
    })
    return { rpc: new Map(clients), name, onFailure: onFailure as OnFailure | undefined }
  })
