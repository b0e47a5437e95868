/** What stands in front of several servers: each request goes to another one than the last, and on where one is gone. */
import { createClient } from "@geoswap/core/promise"
import type { Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { fetchTransport } from "@geoswap/transport-fetch"
import type { PrivateKeyAccount } from "viem"
import { deploymentsOf } from "../stack/client.js"

/** An answer of a server: which call, and what became of it. */
interface Answer {
  readonly path: string
  readonly status: number
  readonly server: number
  readonly body: string
}

export interface Balancer {
  /** Where the servers are; undefined while one is not there. */
  readonly urls: Array<string | undefined>
  readonly answers: Array<Answer>
  readonly fetch: typeof fetch
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

export const makeBalancer = (): Balancer => {
  const urls: Array<string | undefined> = []
  const answers: Array<Answer> = []
  /** By call, and each begins with another server than the last: a flow goes from one to the other at every step. */
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
          if (url === undefined) throw new Error("It is not there.")
          const response = await fetch(`${url}${pathname}${search}`, init)
          const body = await response.clone().text()
          answers.push({ path, status: response.status, server, body })
          return response
        } catch (error) {
          if (init?.signal?.aborted === true) throw error
          // A server that ends takes no new connections: the next one does.
          await pause(20)
        }
      }
      throw new Error("No server is there.")
    }
  }
}

/** The SDK of a wallet, in front of all servers. */
export const clientThrough = async (
  { fetch }: Balancer,
  devnet: Devnet.Shape,
  apiKey: string,
  account: PrivateKeyAccount
) =>
  createClient({
    transport: fetchTransport({ baseUrl: "http://127.0.0.1:1", apiKey, fetch }),
    signers: { evm: EvmSigner.fromAccount(account) },
    policy: { deployments: await deploymentsOf(devnet) },
    chains: { [devnet.solana.id]: "solana" }
  })
