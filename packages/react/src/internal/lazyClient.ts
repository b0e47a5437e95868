/** A client whose layer is built on first use. */
import type { Client as Programs } from "@geoswap/core"
import type { Client } from "@geoswap/core/promise"
import type * as Layer from "effect/Layer"
import type { LayerClient } from "./layerClient.js"

/** Whether a method returns a promise or an iterable. */
const methods: Readonly<Record<keyof Client, "call" | "iterate">> = {
  quote: "call",
  indicativeQuote: "call",
  delegation: "call",
  delegate: "call",
  undelegate: "call",
  build: "call",
  submit: "call",
  status: "call",
  chains: "call",
  wait: "call",
  watch: "iterate",
  execute: "call",
  executeStream: "iterate",
  pending: "call",
  resume: "call",
  forget: "call"
}

/** A client that closes its layer once every `hold` has been released and no call is running. */
export interface LazyClient {
  readonly client: Client
  /** Keeps the layer open. Returns a function that releases it. */
  readonly hold: () => () => void
}

/**
 * Creates the client for a layer. The code that builds layers is in a separate chunk, so pages that do not use layers
 * do not load it.
 */
export const lazyClient = (layer: Layer.Layer<Programs.Services, unknown>): LazyClient => {
  let loading: Promise<LayerClient> | undefined
  let users = 0

  const load = (): Promise<LayerClient> => {
    if (loading === undefined) {
      const fresh = import("./layerClient.js").then(({ connect }) => connect(layer))
      loading = fresh
      // If loading fails, the next call tries again.
      fresh.catch(() => {
        if (loading === fresh) loading = undefined
      })
    }
    return loading
  }

  const hold = () => {
    let held = true
    users++
    return () => {
      if (!held) return
      held = false
      if (--users > 0 || loading === undefined) return
      const last = loading
      loading = undefined
      last.then(
        ({ close }) => close(),
        () => undefined
      )
    }
  }

  const call = async <A>(method: (client: Client) => Promise<A>): Promise<A> => {
    const release = hold()
    try {
      const { client } = await load()
      return await method(client)
    } finally {
      release()
    }
  }

  async function* iterate<A>(method: (client: Client) => AsyncIterable<A>): AsyncGenerator<A, void, void> {
    const release = hold()
    try {
      const { client } = await load()
      yield* method(client)
    } finally {
      release()
    }
  }

  const delegates = Object.entries(methods).map(([name, forward]) => [
    name,
    (...args: ReadonlyArray<unknown>) =>
      (forward === "call" ? call : iterate)((client) => {
        const method = client[name as keyof Client] as (...args: ReadonlyArray<unknown>) => never
        return method(...args)
      })
  ])
  return { client: Object.fromEntries(delegates) as Client, hold }
}
