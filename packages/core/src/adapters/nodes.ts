/** The caller's own nodes, by chain. A quorum of them must respond and agree. */
import * as Effect from "effect/Effect"
import { isChainId } from "../Chain.js"
import { ReaderError } from "../SwapError.js"
import { describeKind, invalidInput } from "./constructorInput.js"
import { type Fetch, nodeAt, NodeError, type RpcCall } from "./jsonRpc.js"
import { type Combine, majorityOf } from "./quorum.js"

/** Options for a reader. */
export interface NodeOptions {
  /**
   * The URLs of your own nodes, by chain id: one URL, or several, of which a quorum must agree. The URLs must use https,
   * except on localhost. Never take the URLs from the service.
   */
  readonly rpcUrls: Readonly<Record<number, string | ReadonlyArray<string>>>
  /**
   * How many nodes of a chain must respond and agree (default: more than half of the chain's nodes). Each chain must have
   * at least this many URLs.
   */
  readonly quorum?: number | undefined
  /** Timeout per node, in milliseconds (default: 10,000). */
  readonly timeout?: number | undefined
  /** Replaces the global `fetch`. The replacement must support `signal` and `redirect`. */
  readonly fetch?: Fetch | undefined
}

/**
 * Checks a node, and fails if the node is on the wrong chain. Runs before every read from the node until the check has
 * succeeded once.
 */
export type NodeCheck = (call: RpcCall, chainId: number) => Effect.Effect<void, NodeError>

/** Reads from all nodes for a chain. Fails unless a quorum of them responds and `combine` returns a result. */
type ReadNodes = <A>(
  chainId: number,
  read: (call: RpcCall) => Effect.Effect<A, NodeError>,
  combine: Combine<A>,
  describe: (answer: A) => string
) => Effect.Effect<A, ReaderError>

interface Node {
  /** The node's name in error messages. Error messages never show the node's URL, because it may contain a key. */
  readonly name: string
  readonly call: RpcCall
  readonly ready: Effect.Effect<void, NodeError>
}

/** The nodes of a chain, and how many of them must agree. */
interface Nodes {
  readonly all: ReadonlyArray<Node>
  readonly quorum: number
}

const isLocal = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/

/** Parses a URL. Error messages do not show the URL. */
const parseUrl = (field: string, given: unknown): string => {
  const refuse = (expected: string) => invalidInput(field, `expected ${expected}, got ${describeKind(given)}.`)
  if (typeof given !== "string" || !URL.canParse(given)) throw refuse("a URL such as https://host/path")
  const { hash, hostname, href, password, protocol, username } = new URL(given)
  if (protocol !== "https:" && !(protocol === "http:" && isLocal.test(hostname))) {
    throw refuse("https, or http on localhost")
  }
  if (username + password + hash !== "") throw refuse("a URL without a username, password or fragment")
  return href
}

const once = (check: Effect.Effect<void, NodeError>): Effect.Effect<void, NodeError> => {
  let passed = false
  return Effect.suspend(() => (passed ? Effect.void : Effect.tap(check, () => Effect.sync(() => void (passed = true)))))
}

const readerError = (message: string) => new ReaderError({ message })

/** The settings that differ between chain families. */
interface Family {
  readonly check: NodeCheck
  /** The chain id for the example in an error message. */
  readonly exampleChainId: number
  /** The `fetch` function to use if the options do not set one. The core package itself does not access the network. */
  readonly defaultFetch: Fetch
}

/** Creates the function that reads from the configured nodes. Throws `InvalidInput` if an option is invalid. */
export const connectNodes = (options: unknown, { check, defaultFetch, exampleChainId }: Family): ReadNodes => {
  const {
    fetch,
    quorum,
    rpcUrls,
    timeout = 10_000
  } = Object(options) as { readonly [K in keyof NodeOptions]?: unknown }
  if (!(Number.isSafeInteger(timeout) && Number(timeout) > 0 && Number(timeout) < 2 ** 31)) {
    throw invalidInput(
      "timeout",
      `expected a whole number of milliseconds greater than 0, got ${describeKind(timeout)}.`
    )
  }
  if (quorum !== undefined && !(Number.isSafeInteger(quorum) && Number(quorum) > 0)) {
    throw invalidInput("quorum", `expected a whole number of nodes greater than 0, got ${describeKind(quorum)}.`)
  }
  if (fetch !== undefined && typeof fetch !== "function") {
    throw invalidInput("fetch", `expected a function, got ${describeKind(fetch)}.`)
  }
  const send = (fetch as Fetch | undefined) ?? defaultFetch
  if (typeof rpcUrls !== "object" || rpcUrls === null || Array.isArray(rpcUrls) || rpcUrls instanceof Map) {
    throw invalidInput("rpcUrls", `expected URLs by chain id, such as { ${exampleChainId}: "https://…" }.`)
  }
  const chains = Object.entries(rpcUrls).map(([key, value]) => {
    const chainId = Number(key)
    if (!isChainId(chainId)) throw invalidInput("rpcUrls", "expected chain ids as keys.")
    const field = `rpcUrls[${chainId}]`
    const urls: ReadonlyArray<string> = (Array.isArray(value) ? Array.from<unknown>(value) : [value]).map((url) =>
      parseUrl(field, url)
    )
    if (urls.length === 0 || new Set(urls).size !== urls.length) {
      throw invalidInput(field, "expected at least one URL and no duplicates.")
    }
    const needed = quorum === undefined ? majorityOf(urls.length) : Number(quorum)
    if (needed > urls.length) {
      throw invalidInput(field, `expected at least ${needed} URLs, because quorum is ${needed}.`)
    }
    const all = urls.map((url, index): Node => {
      const call = nodeAt(url, send)
      return { name: urls.length === 1 ? "the node" : `node ${index + 1}`, call, ready: once(check(call, chainId)) }
    })
    return [chainId, { all, quorum: needed }] as const
  })
  return readNodes(new Map(chains), Number(timeout))
}

const readNodes = (chains: ReadonlyMap<number, Nodes>, timeout: number): ReadNodes =>
  Effect.fnUntraced(function* (chainId, read, combine, describe) {
    const nodes = chains.get(chainId)
    if (nodes === undefined) {
      const named = isChainId(chainId) ? `chain ${chainId}` : "this chain"
      return yield* readerError(`No node is configured for ${named}. Add a node URL to rpcUrls.`)
    }
    const late = () => Effect.fail(new NodeError(`did not respond within ${timeout / 1000} s`))
    const answers = yield* Effect.forEach(
      nodes.all,
      (node) =>
        Effect.andThen(node.ready, read(node.call)).pipe(
          Effect.timeoutOrElse({ duration: timeout, orElse: late }),
          Effect.match({
            onSuccess: (value) => ({ value, message: `${node.name} reports ${describe(value)}` }),
            onFailure: ({ message }) => ({ value: undefined, message: `${node.name} ${message}` })
          })
        ),
      { concurrency: "unbounded" }
    )
    const message = answers.map((answer) => answer.message).join("; ")
    const values = answers.flatMap(({ value }) => (value === undefined ? [] : [value]))
    if (values.length < nodes.quorum) {
      const needed = nodes.all.length === 1 ? "" : ` ${nodes.quorum} of ${nodes.all.length} nodes must respond.`
      return yield* readerError(`Chain ${chainId} could not be read: ${message}.${needed}`)
    }
    const combined = combine(values, nodes.quorum)
    return combined ?? (yield* readerError(`Your nodes for chain ${chainId} contradict each other: ${message}.`))
  })
