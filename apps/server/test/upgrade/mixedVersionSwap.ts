/** A swap whose calls go to servers of different versions, with all their responses. */
import { type Client, createClient, type Swap } from "@geoswap/core/promise"
import { fetchTransport } from "@geoswap/transport-fetch"
import { generateKeyPair, getAddressFromPublicKey } from "@solana/kit"
import type { PrivateKeyAccount } from "viem"
import { sign } from "../crash/swap.js"
import { deploymentsOf } from "../stack/client.js"
import * as evm from "../stack/evm.js"
import * as solana from "../stack/solana.js"
import type { Replica, Setup } from "./fixture.js"

/** The payers: one wallet on the first chain and one on Solana. */
export interface Payers {
  readonly evm: PrivateKeyAccount
  readonly solana: Awaited<ReturnType<typeof solana.newWallet>>
}

/** The initial balance of a payer in USDC: more than all swaps of a test take. */
export const plenty = 10_000n * 10n ** 6n

export const newPayers = async ({ devnet }: Setup): Promise<Payers> => ({
  evm: await evm.newDelegated(devnet, devnet.evmA, { USDC: plenty }),
  solana: await solana.newWallet(devnet, { USDC: plenty })
})

export type Place = "evmA" | "evmB" | "solana"

/** A request: 10 of a token on one chain for a token on another one. */
export interface Wish {
  readonly origin: "evmA" | "solana"
  readonly destination: Place
  /** The symbol, or the address (default: USDC). */
  readonly input?: string
  /** The symbol, or the address (default: WETH). */
  readonly output?: string
  readonly recipient?: string
  readonly payer?: PrivateKeyAccount
}

/** The server of each call; `status` also gets the other calls unless they are named. */
export interface Route {
  readonly quote?: Replica
  readonly build?: Replica
  readonly submit?: Replica
  readonly status: Replica
}

/** A response of a server. */
export interface Answer {
  readonly path: string
  readonly status: number
  readonly version: Replica["version"]
  readonly body: string
}

const serverFor = ({ build, quote, status, submit }: Route, path: string): Replica => {
  if (path.endsWith("/quote")) return quote ?? status
  if (path.includes("/build-") || path.includes("/delegation")) return build ?? status
  return (path.includes("/submit") ? submit : status) ?? status
}

/** A client whose calls take a route; `hear` gets every response. */
export const clientOn = async (
  { apiKey, devnet }: Setup,
  route: Route,
  hear: (answer: Answer) => void = () => undefined
): Promise<Client> =>
  createClient({
    transport: fetchTransport({
      baseUrl: "http://127.0.0.1",
      apiKey,
      fetch: async (input, init) => {
        const { pathname, search } = new URL(input)
        const { url, version } = serverFor(route, pathname)
        const response = await fetch(`${url}${pathname}${search}`, init)
        hear({ path: pathname, status: response.status, version, body: await response.clone().text() })
        return response
      }
    }),
    signers: {},
    policy: { deployments: await deploymentsOf(devnet) },
    chains: { [devnet.solana.id]: "solana" }
  })

const addressOf = ({ devnet }: Setup, place: Place, token: string): string =>
  /^(USDC|WETH|GEO)$/.test(token) ? evm.tokenOf(devnet[place], token) : token

const recipientOn = async (place: Place): Promise<string> =>
  place === "solana" ? getAddressFromPublicKey((await generateKeyPair()).publicKey) : evm.newAddress()

let count = 0n

/** About ten dollars, and a different amount each time. */
const amount = (): bigint => {
  count += 1n
  return 10_000_000n + count
}

/** Quotes, builds and signs. */
export const signOn = async (setup: Setup, client: Client, payers: Payers, wish: Wish) => {
  const { destination, input = "USDC", origin, output = "WETH", payer = payers.evm } = wish
  const { deployments, devnet } = setup
  const wallet =
    origin === "solana"
      ? ({ family: "solana", ...payers.solana } as const)
      : ({ family: "evm", address: payer.address, account: payer } as const)
  const request = {
    originChain: devnet[origin].id,
    destinationChain: devnet[destination].id,
    inputToken: addressOf(setup, origin, input),
    outputToken: addressOf(setup, destination, output),
    amount: amount(),
    walletAddress: wallet.address,
    recipient: wish.recipient ?? (await recipientOn(destination))
  }
  return { wish, ...(await sign({ client, deployments }, { request, wallet })) }
}

export type Signed = Awaited<ReturnType<typeof signOn>>

/** A swap that a server has accepted. */
export interface Submitted extends Signed {
  readonly swapId: string
}

/** Submits a signed swap. */
export const submitOn = async (client: Client, signed: Signed): Promise<Submitted> => ({
  ...signed,
  swapId: (await client.submit(signed.submission)).swapId
})

/** A whole submit, starting with the quote. */
export const startOn = async (setup: Setup, route: Route, payers: Payers, wish: Wish): Promise<Submitted> => {
  const client = await clientOn(setup, route)
  return submitOn(client, await signOn(setup, client, payers, wish))
}

/** A test that waits for that long has failed. */
const longestMillis = 240_000

/** The end of a swap, as a server reports it. */
export const endAt = async (setup: Setup, replica: Replica, { swapId }: Submitted): Promise<Swap> => {
  const client = await clientOn(setup, { status: replica })
  const end = Date.now() + longestMillis
  for (;;) {
    const swap = await client.status(swapId)
    if (swap.status !== "pending") return swap
    if (Date.now() > end) throw new Error(`Swap ${swapId} does not end.\n${await reportOf(setup, swapId)}`)
  }
}

/** Everything that is stored about a swap, and what the servers logged about it. */
export const reportOf = async ({ replicas, rows }: Setup, swapId: string): Promise<string> => {
  const of = (columns: string, table: string, key: string) =>
    rows(`SELECT ${columns} FROM ${table} WHERE ${key} = '${swapId}'`)
  const stored = {
    swap: await of("*", "swaps", "id"),
    events: await of("version, at, state, detail", "swap_events", "swap_id"),
    attempts: await of("kind, hash, nonce, cancels, created_at", "tx_attempts", "swap_id")
  }
  const logs = replicas.map(({ stderr, version }) => {
    const lines = stderr().split("\n")
    return [version, ...lines.filter((line) => line.includes(swapId)).slice(-20)].join("\n")
  })
  return [JSON.stringify(stored, undefined, 2), ...logs].join("\n\n")
}
