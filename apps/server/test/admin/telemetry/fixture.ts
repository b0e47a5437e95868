/** Servers of one folder that send telemetry to a collector, and a client that swaps with them. */
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { eachChain, looked } from "../../stack/fixture.js"
import { freePort } from "../../stack/freePort.js"
import { run, type Server, serve, serveHere, until } from "../../stack/program.js"
import { devnetLayer, workspaceFor } from "../../stack/stack.js"
import { nodeKey } from "../cli/fixture.js"
import type { Collector } from "./collector.js"
import { type Caller, makeCaller } from "./tracedClient.js"

export { devnetLayer }

/** Only in the headers of telemetry requests. */
export const collectorKey = "c0llector-key-that-must-not-leak"

/** Every node has a key, and the node of the first chain is behind a proxy. */
const withKeys = ({ evmA }: Devnet.Devnet, node: Proxy.Proxy) =>
  eachChain(({ rpcUrls: [url], ...chain }) => ({
    ...chain,
    rpcUrls: [`${chain.id === evmA.id ? node.rpcUrl : url}?key=${nodeKey}`]
  }))

/** A folder whose server uses the same port each time, unless another is set. */
export const makeSetup = Effect.fnUntraced(function* (
  devnet: Devnet.Devnet,
  collector: Collector,
  more: Readonly<Record<string, string>> = {}
) {
  const port = yield* freePort
  const node = yield* Proxy.make({ target: devnet.evmA.rpcUrl })
  const {
    database,
    environment: secrets,
    folder
  } = yield* workspaceFor(devnet, (file) => ({
    ...withKeys(devnet, node)(file),
    listen: { host: "127.0.0.1", port }
  }))
  const environment = {
    ...secrets,
    ...more,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-key=${collectorKey}`
  }
  const workspace = { folder, environment }
  const apiKey = (yield* run(workspace, "keys", "create", "--account", "Ada")).stdout.trim()
  return {
    apiKey,
    caller: yield* makeCaller(devnet),
    database,
    environment,
    node,
    start: (...args: ReadonlyArray<string>) => serveHere(workspace, "--log-level", "debug", ...args),
    /** Starts a server in a separate process, beside the one in this process. */
    startProcess: (...args: ReadonlyArray<string>) => serve(workspace, "--log-level", "debug", ...args),
    url: `http://127.0.0.1:${port}`
  }
})

export type Setup = Effect.Success<ReturnType<typeof makeSetup>>

/** Submits a swap whose chain is then held; returns after a server has polled it for a while. */
export const submitted = Effect.fnUntraced(function* (
  { evmA }: Devnet.Devnet,
  { apiKey, caller, node, url }: Setup,
  { stderr }: Pick<Server, "stderr">,
  sampled: boolean = true
) {
  let swapId = ""
  const swapping = yield* Effect.forkScoped(
    caller.swap(
      { apiKey, url },
      {
        sampled,
        onProgress: (event) => {
          if (event.type === "signed") return Effect.orDie(evmA.hold)
          if (event.type === "submitted") swapId = event.swap.swapId
          return Effect.void
        }
      }
    )
  )
  const isSent = () => stderr().includes("swap origin_sent") || swapping.pollUnsafe() !== undefined
  yield* until(() => swapId !== "" && isSent(), "an open swap")
  yield* Effect.promise(() => looked(node, "eth_getBlockByNumber"))
  return { swapId, ended: Fiber.join(swapping) }
})

/** The span names from the caller's span down to each span of one trace. */
export const pathsOf = ({ spans: own }: Caller, collector: Collector, traceId: string): ReadonlySet<string> => {
  const all = new Map<string, { readonly name: string; readonly parent: string | undefined }>()
  for (const { name, parent, spanId } of own) {
    all.set(spanId, { name, parent: parent._tag === "Some" ? parent.value.spanId : undefined })
  }
  const spans = collector.spans()
  for (const { name, parentSpanId, spanId } of spans) all.set(spanId, { name, parent: parentSpanId })
  const path = (id: string | undefined): ReadonlyArray<string> => {
    const span = id === undefined ? undefined : all.get(id)
    return span === undefined ? [] : [...path(span.parent), span.name]
  }
  return new Set(spans.filter((span) => span.traceId === traceId).map(({ spanId }) => path(spanId).join(" > ")))
}

/** The path to the spans of the executor, as seen from the caller. */
export const driving =
  "the caller > geoswap.execute > geoswap.submit > POST /swap/submit > Service.submit > Executor.drive"

/** A test that ends early must not leave the chain held for the next one. */
export const letGo = Effect.flatMap(Devnet.Devnet, ({ evmA }) => Effect.ignore(evmA.release))
