/** The caller's own nodes of every chain. All that answer must agree, and at least one must answer. */
import { Chain, SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { invalidInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import { type Fetch, nodeAt, NodeError, type RpcCall } from "./jsonRpc.js"
import { readProperty } from "./properties.js"

/** What a reader is made of. */
export interface Options {
  /**
   * The URLs of your own nodes by chain id: one, or several that must agree. https, except on this machine. Never take
   * them from the service.
   */
  readonly rpcUrls: Readonly<Record<number, string | ReadonlyArray<string>>>
  /** Milliseconds that a node may take to answer a read (default: 10,000). */
  readonly timeout?: number | undefined
  /** Used in place of the runtime's own; it has to honour `signal` and `redirect`. */
  readonly fetch?: Fetch | undefined
}

/** Fails with what is wrong with a node of this chain. Asked of every node until it succeeds once. */
export type NodeCheck = (call: RpcCall, chainId: number) => Effect.Effect<void, NodeError>

/** What the nodes of a chain answer. `combine` is given at least one answer, and gives none if they contradict. */
export type ReadNodes = <A>(
  chainId: number,
  read: (call: RpcCall) => Effect.Effect<A, NodeError>,
  combine: (answers: ReadonlyArray<A>) => A | undefined,
  describe: (answer: A) => string
) => Effect.Effect<A, SwapError.ReaderError>

interface Node {
  /** What errors call it: its URL may hold a key. */
  readonly name: string
  readonly call: RpcCall
  readonly ready: Effect.Effect<void, NodeError>
}

const isLocal = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/

/** A URL that can be asked; the refusal does not repeat it. */
const parseUrl = (field: string, given: unknown): string => {
  const refuse = (expected: string) =>
    invalidInput(field, `is invalid: expected ${expected}, got ${describeKind(given)}`)
  if (typeof given !== "string" || !URL.canParse(given)) throw refuse("a URL such as https://host/path")
  const { hash, hostname, href, password, protocol, username } = new URL(given)
  if (protocol !== "https:" && !(protocol === "http:" && isLocal.test(hostname))) {
    throw refuse("https, or http on this machine")
  }
  if (username + password + hash !== "") throw refuse("a URL without a user name, a password or a fragment")
  return href
}

const once = (check: Effect.Effect<void, NodeError>): Effect.Effect<void, NodeError> => {
  let passed = false
  return Effect.suspend(() => (passed ? Effect.void : Effect.tap(check, () => Effect.sync(() => void (passed = true)))))
}

const readerError = (message: string) => new SwapError.ReaderError({ message })

/** The nodes of the options. What it throws is `InvalidInput`, unless a member of the options throws. */
export const connectNodes = (options: unknown, check: NodeCheck): ReadNodes => {
  const [customFetch, rpcUrls, timeout = 10_000] = [
    readProperty(options, "fetch"),
    readProperty(options, "rpcUrls"),
    readProperty(options, "timeout")
  ]
  if (!(Number.isSafeInteger(timeout) && Number(timeout) > 0 && Number(timeout) < 2 ** 31)) {
    const expected = "milliseconds, a whole number above 0"
    throw invalidInput("timeout", `is invalid: expected ${expected}, got ${describeKind(timeout)}`)
  }
  if (customFetch !== undefined && typeof customFetch !== "function") {
    throw invalidInput("fetch", `is invalid: expected a function, got ${describeKind(customFetch)}`)
  }
  // The runtime's own is looked up with each request: tracers and test tools replace it.
  const send = (customFetch as Fetch | undefined) ?? ((url: string, init: RequestInit) => fetch(url, init))
  if (typeof rpcUrls !== "object" || rpcUrls === null || Array.isArray(rpcUrls) || rpcUrls instanceof Map) {
    throw invalidInput("rpcUrls", 'is invalid: expected URLs by chain id, such as { 792703809: "https://…" }')
  }
  const chains = Object.entries(rpcUrls).map(([key, value]) => {
    const chainId = Number(key)
    if (!Chain.isChainId(chainId)) throw invalidInput("rpcUrls", "is invalid: its keys must be chain ids")
    const field = `rpcUrls[${chainId}]`
    const urls: ReadonlyArray<string> = (Array.isArray(value) ? Array.from<unknown>(value) : [value]).map((url) =>
      parseUrl(field, url)
    )
    if (urls.length === 0 || new Set(urls).size !== urls.length) {
      throw invalidInput(field, "is invalid: expected at least one URL, and each of them once")
    }
    const nodes = urls.map((url, index): Node => {
      const call = nodeAt(url, send)
      return { name: urls.length === 1 ? "the node" : `node ${index + 1}`, call, ready: once(check(call, chainId)) }
    })
    return [chainId, nodes] as const
  })
  return readNodes(new Map(chains), Number(timeout))
}

const readNodes = (chains: ReadonlyMap<number, ReadonlyArray<Node>>, timeout: number): ReadNodes =>
  Effect.fnUntraced(function* (chainId, read, combine, describe) {
    const nodes = chains.get(chainId)
    if (nodes === undefined) {
      const named = Chain.isChainId(chainId) ? `chain ${chainId}` : "this chain"
      return yield* readerError(`There is no node to read ${named} with. Add its URL to rpcUrls.`)
    }
    const late = () => Effect.fail(new NodeError(`did not answer within ${timeout / 1000} s`))
    const answers = yield* Effect.forEach(
      nodes,
      (node) =>
        Effect.andThen(node.ready, read(node.call)).pipe(
          Effect.timeoutOrElse({ duration: timeout, orElse: late }),
          Effect.match({
            onSuccess: (value) => ({ value, message: `${node.name} says ${describe(value)}` }),
            onFailure: ({ message }) => ({ value: undefined, message: `${node.name} ${message}` })
          })
        ),
      { concurrency: "unbounded" }
    )
    const message = answers.map((answer) => answer.message).join("; ")
    const values = answers.flatMap(({ value }) => (value === undefined ? [] : [value]))
    if (values.length === 0) return yield* readerError(`Chain ${chainId} could not be read: ${message}.`)
    const combined = combine(values)
    return combined ?? (yield* readerError(`Your nodes of chain ${chainId} contradict each other: ${message}.`))
  })

/** The one answer that all gave. */
export const unanimous =
  <A>(describe: (answer: A) => string) =>
  (answers: ReadonlyArray<A>): A | undefined =>
    new Set(answers.map(describe)).size === 1 ? answers[0] : undefined
