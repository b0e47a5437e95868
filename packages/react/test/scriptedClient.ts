/** A client of the scripted service that counts its requests. */
import {
  type Client,
  type ClientOptions,
  createClient,
  type PromiseEvmSigner,
  type PromiseStore
} from "@geoswap/core/promise"
import { ScriptedTransport, TestSigner } from "@geoswap/core/testing"
import { Signer } from "@geoswap/core"
import * as Effect from "effect/Effect"

export interface ScriptedOptions {
  /** The milliseconds from submit to the end of a swap. */
  readonly duration?: number
  readonly store?: PromiseStore
  /** A service that other clients share (default: a new one). */
  readonly service?: ScriptedTransport.ScriptedTransport
  readonly signer?: Partial<PromiseEvmSigner>
  readonly settings?: ClientOptions["settings"]
}

/** The requests to one endpoint. */
interface Traffic {
  now: number
  /** The maximum number at the same time. */
  max: number
  aborted: number
}

/** Creates a scripted service and a client. */
export const scriptedClient = (options: ScriptedOptions = {}) => {
  const { duration = 5, store, service = ScriptedTransport.make(), settings, signer } = options
  service.ends("settled", duration)
  const counted = new Map<string, Traffic>()
  const traffic = (endpoint: string): Traffic => {
    const known = counted.get(endpoint) ?? { now: 0, max: 0, aborted: 0 }
    counted.set(endpoint, known)
    return known
  }
  const held = new Map<string, Promise<void>>()
  const client: Client = createClient({
    transport: {
      send: async (request, { signal }) => {
        const seen = traffic(request.endpoint)
        seen.max = Math.max(seen.max, ++seen.now)
        try {
          await held.get(request.endpoint)
          return await Effect.runPromise(service.send(request), { signal })
        } catch (error) {
          if (signal.aborted) seen.aborted++
          throw error
        } finally {
          seen.now--
        }
      }
    },
    signers: {
      evm: { ...Signer.evmToPromise(TestSigner.evm()), ...signer },
      solana: Signer.solanaToPromise(TestSigner.solana())
    },
    network: service.network,
    settings: { backoff: [1, 5], ...settings },
    ...(store && { store })
  })
  /** Holds requests to an endpoint until the returned function is called. */
  const hold = (endpoint: string): (() => void) => {
    let release = () => {}
    held.set(endpoint, new Promise<void>((resolve) => (release = resolve)))
    return () => {
      held.delete(endpoint)
      release()
    }
  }
  return { service, client, traffic, hold, quoteCount: () => service.seen("quote").length }
}

export const { evmRequest, solanaRequest } = ScriptedTransport

/** The network of the scripted service, as a page would pin it. */
export const { network } = ScriptedTransport.make()
