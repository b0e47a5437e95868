/** Clients of the real service, with devnet wallets. */
import { type Client, createClient, type Network, type PromiseStore } from "@geoswap/core/promise"
import { EvmSigner } from "@geoswap/signer-evm"
import { SolanaSigner } from "@geoswap/signer-solana"
import { fetchTransport } from "@geoswap/transport-fetch"
import { createKeyPairFromBytes, getBase58Encoder } from "@solana/kit"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { DevnetFixture } from "../devnet.js"

/** A devnet with the service on it. */
export type Running = Extract<DevnetFixture, { readonly missing: undefined }>

type Wallet = Running["devnet"]["wallets"][number]

/** Returns a devnet wallet by its name. */
export const walletOf = ({ devnet }: Running, name: string): Wallet => {
  const found = devnet.wallets.find((wallet) => wallet.name === name)
  if (found === undefined) throw new Error(`The devnet has no ${name}.`)
  return found
}

/** The contracts of the devnet, which a real page would pin. */
export const devnetNetwork = ({ chains, operators = [] }: Running["devnet"]): Network => {
  const relayer = operators.find(({ family, role }) => family === "solana" && role === "relayer")?.address ?? ""
  return {
    chains: chains.map(({ contracts: { account, vault }, id, family, name, tokens }) => ({
      id,
      name,
      family,
      deployment: account === undefined ? { vault, relayer } : { vault, delegates: [account] },
      tokens
    }))
  }
}

export interface ConnectOptions {
  readonly evm: Wallet
  readonly solana: Wallet
  readonly store: PromiseStore
  /** Whether the user rejects every signature. */
  readonly refuses?: boolean
}

/** Creates a client for these wallets that counts its requests. */
export const connect = async (fixture: Running, { evm, store, refuses = false, solana }: ConnectOptions) => {
  const paths: Array<string> = []
  const held = new Map<string, Promise<void>>()
  const account = privateKeyToAccount(evm.privateKey as Hex)
  const refusal = async () => {
    throw Object.assign(new Error("User rejected the request."), { code: 4001 })
  }
  const client: Client = createClient({
    network: devnetNetwork(fixture.devnet),
    transport: fetchTransport({
      baseUrl: fixture.url,
      apiKey: fixture.apiKey,
      fetch: async (input, init) => {
        const { pathname } = new URL(input)
        paths.push(pathname)
        for (const [start, released] of held) if (pathname.startsWith(start)) await released
        return fetch(input, init)
      }
    }),
    signers: {
      evm: EvmSigner.fromAccount(refuses ? { ...account, signMessage: refusal } : account),
      solana: await SolanaSigner.fromKeyPair(await createKeyPairFromBytes(getBase58Encoder().encode(solana.privateKey)))
    },
    store
  })
  /** Holds requests to paths with this prefix until the returned function is called. */
  const hold = (start: string): (() => void) => {
    let release = () => {}
    held.set(start, new Promise<void>((resolve) => (release = resolve)))
    return () => {
      held.delete(start)
      release()
    }
  }
  return { client, hold, requestCount: (path: string) => paths.filter((one) => one === path).length }
}
