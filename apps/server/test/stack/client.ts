/** Our SDK with a test server and new wallets. */
import {
  createClient,
  type Client,
  type ExecuteInput,
  type Network,
  type Swap,
  type SwapEvent
} from "@geoswap/core/promise"
import { Description, type Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { SolanaSigner } from "@geoswap/signer-solana"
import { fetchTransport } from "@geoswap/transport-fetch"
import { keccak256 } from "viem"
import type { PrivateKeyAccount } from "viem"
import { reader } from "./evm.js"
import type { Running } from "./stack.js"

/** The network of a devnet, with the actual code hashes. */
export const networkOf = async ({ description, evmA, evmB }: Devnet.Devnet): Promise<Network> => {
  const codeHashes = await Promise.all(
    [evmA, evmB].map(async (chain) => {
      const code = await reader(chain).getCode({ address: chain.contracts.account as `0x${string}` })
      return [chain.id, { codeHash: keccak256(code ?? "0x") }] as const
    })
  )
  const hashes = new Map(codeHashes)
  const { chains } = Description.network(description)
  return {
    chains: chains.map((chain) => ({ ...chain, deployment: { ...chain.deployment, ...hashes.get(chain.id) } }))
  }
}

export interface Wallets {
  readonly evm?: PrivateKeyAccount
  readonly solana?: CryptoKeyPair
}

/** A client of the first account. */
export const clientOf = async (devnet: Devnet.Devnet, { apiKeys, url }: Running, wallets: Wallets): Promise<Client> =>
  createClient({
    network: await networkOf(devnet),
    transport: fetchTransport({ baseUrl: url, apiKey: apiKeys[0] }),
    signers: {
      evm: wallets.evm && EvmSigner.fromAccount(wallets.evm),
      solana: wallets.solana && (await SolanaSigner.fromKeyPair(wallets.solana))
    },
    policy: { maxSlippageBps: 10_000 }
  })

/** Runs a whole swap and returns its events. */
export const swap = async (
  client: Client,
  request: ExecuteInput
): Promise<{ readonly swap: Swap; readonly events: ReadonlyArray<SwapEvent> }> => {
  const events: Array<SwapEvent> = []
  for await (const event of client.executeStream(request)) events.push(event)
  const done = events.at(-1)
  if (done?.type !== "done") throw new Error("The swap did not finish.")
  return { swap: done.swap, events }
}

/** The quoted output. */
export const outputOf = (events: ReadonlyArray<SwapEvent>): bigint => {
  const quoted = events.find((event) => event.type === "quoted")
  if (quoted?.type !== "quoted") throw new Error("There was no quote.")
  return quoted.quote.output
}
