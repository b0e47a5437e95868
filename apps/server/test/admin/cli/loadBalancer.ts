/** A load balancer: each request goes to another server than the last, or to the next one if that is gone. */
import { createClient } from "@geoswap/core/promise"
import type { Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { fetchTransport } from "@geoswap/transport-fetch"
import type { PrivateKeyAccount } from "viem"
import { networkOf } from "../../stack/client.js"

/** A response of a server: the call and its status. */
interface Answer {
  readonly path: string
  readonly status: number
  readonly server: number
  readonly body: string
}

export interface Balancer {
  /** The URLs of the servers; `undefined` while one is down. */
  readonly urls: Array<string | undefined>
  readonly answers: Array<Answer>
  readonly fetch: typeof fetch
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

export const makeBalancer = (): Balancer => {
  const urls: Array<string | undefined> = []
  const answers: Array<Answer> = []
  /** Round robin per call, so that a flow changes servers at every step. */
  const turns = new Map<string, number>()
  return {
    urls,
    answers,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input)
      const path = pathname.replace(/status\/.*/, "status")
      for (let tries = 0; tries < 200; tries++) {
        const turn = turns.get(path) ?? turns.size
        turns.set(path, turn + 1)
        const server = turn % urls.length
        const url = urls[server]
        try {
          if (url === undefined) throw new Error("The server is down.")
          const response = await fetch(`${url}${pathname}${search}`, init)
          const body = await response.clone().text()
          answers.push({ path, status: response.status, server, body })
          return response
        } catch (error) {
          if (init?.signal?.aborted === true) throw error
          // A stopping server accepts no new connections: the next one does.
          await pause(20)
        }
      }
      throw new Error("No server is running.")
    }
  }
}

/** The SDK of a wallet, through the load balancer. */
export const clientThrough = async (
  { fetch }: Balancer,
  devnet: Devnet.Devnet,
  apiKey: string,
  account: PrivateKeyAccount
) =>
  createClient({
    transport: fetchTransport({ baseUrl: "http://127.0.0.1:1", apiKey, fetch }),
    signers: { evm: EvmSigner.fromAccount(account) },
    network: await networkOf(devnet)
  })
