/** A client over a layer that is loaded and built when it is first used. */
import type { Client as Programs } from "@geoswap/core"
import type { Client } from "@geoswap/core/promise"
import type * as Layer from "effect/Layer"
import type { LayerClient } from "./layerClient.js"

/** A client, and what keeps its layer: it ends once nobody holds it and no call is under way. */
export interface LazyClient {
  readonly client: Client
  /** Gives what lets go of it. */
  readonly hold: () => () => void
}

/** The client of a layer. The code for it is a chunk of its own, so that others do not load it. */
export const lazyClient = (layer: Layer.Layer<Programs.Services, unknown>): LazyClient => {
  let loading: Promise<LayerClient> | undefined
  let users = 0

  const load = (): Promise<LayerClient> => {
    if (loading === undefined) {
      const fresh = import("./layerClient.js").then(({ connect }) => connect(layer))
      loading = fresh
      // What failed is tried anew by the next call.
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

  const call = async <A>(verb: (client: Client) => Promise<A>): Promise<A> => {
    const release = hold()
    try {
      const { client } = await load()
      return await verb(client)
    } finally {
      release()
    }
  }

  async function* iterate<A>(verb: (client: Client) => AsyncIterable<A>): AsyncGenerator<A, void, void> {
    const release = hold()
    try {
      const { client } = await load()
      yield* verb(client)
    } finally {
      release()
    }
  }

  const client: Client = {
    quote: (...given) => call(({ quote }) => quote(...given)),
    delegation: (...given) => call(({ delegation }) => delegation(...given)),
    build: (...given) => call(({ build }) => build(...given)),
    submit: (...given) => call(({ submit }) => submit(...given)),
    status: (...given) => call(({ status }) => status(...given)),
    chains: (...given) => call(({ chains }) => chains(...given)),
    wait: (...given) => call(({ wait }) => wait(...given)),
    watch: (...given) => iterate(({ watch }) => watch(...given)),
    execute: (...given) => call(({ execute }) => execute(...given)),
    executeStream: (...given) => iterate(({ executeStream }) => executeStream(...given)),
    pending: (...given) => call(({ pending }) => pending(...given)),
    resume: (...given) => call(({ resume }) => resume(...given)),
    forget: (...given) => call(({ forget }) => forget(...given))
  }
  return { client, hold }
}
