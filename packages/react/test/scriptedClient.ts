/** A client of the scripted service, which counts what is asked of it. */
import {
  type Client,
  type ClientOptions,
  createClient,
  type EvmSigner,
  type Journal,
  type Ledger
} from "@geoswap/core/promise"
import { ScriptedTransport, TestSigner } from "@geoswap/core/testing"
import { Signer } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { PinnedToken } from "../src/query.js"

export interface ScriptedOptions {
  /** Milliseconds from submit to the end of a swap. */
  readonly duration?: number
  readonly journal?: Journal
  readonly ledger?: Ledger
  /** One that other clients share; a fresh one if omitted. */
  readonly service?: ScriptedTransport.Shape
  readonly signer?: Partial<EvmSigner>
  readonly settings?: ClientOptions["settings"]
}

/** What became of the requests to one endpoint. */
interface Traffic {
  now: number
  /** The most that there were at once. */
  most: number
  aborted: number
}

/** A scripted service, and a client that counts its requests. */
export const scriptedClient = (options: ScriptedOptions = {}) => {
  const { duration = 5, journal, ledger, service = ScriptedTransport.make(), settings, signer } = options
  service.ends("settled", duration)
  const counted = new Map<string, Traffic>()
  const traffic = (endpoint: string): Traffic => {
    const known = counted.get(endpoint) ?? { now: 0, most: 0, aborted: 0 }
    counted.set(endpoint, known)
    return known
  }
  const held = new Map<string, Promise<void>>()
  const client: Client = createClient({
    transport: {
      send: async (request, { signal }) => {
        const seen = traffic(request.endpoint)
        seen.most = Math.max(seen.most, ++seen.now)
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
    policy: { deployments: service.deployments },
    settings: { backoff: [1, 5], ...settings },
    ...(journal && { journal }),
    ...(ledger && { ledger })
  })
  /** Keeps the requests to an endpoint on their way until what it gives is called. */
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

const usdc = (chain: number, address: string): PinnedToken => ({ chain, address, symbol: "USDC", decimals: 6 })

/** What a page would write down about the tokens of the scripted service. */
export const pinned: ReadonlyArray<PinnedToken> = [
  usdc(evmRequest.originChain, evmRequest.inputToken),
  usdc(evmRequest.destinationChain, evmRequest.inputToken),
  usdc(solanaRequest.originChain, solanaRequest.inputToken)
]
