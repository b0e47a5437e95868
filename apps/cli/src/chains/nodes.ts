/** Reads chains through the user's nodes, with the SDK's readers. */
import { Chain, type ChainReader, type SwapError } from "@geoswap/core"
import { refuseRedirects } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { failure } from "../output/Exit.js"
import type { KnownChain, Token } from "./Directory.js"

/** The id of a chain, and the URL of a node. */
export type Node = readonly [chainId: number, rpcUrl: string]

/** Creates a reader for EVM chains. */
export const evmReader = (nodes: ReadonlyArray<Node>) =>
  Effect.flatMap(
    Effect.promise(() => import("@geoswap/signer-evm")),
    ({ EvmReader }) => EvmReader.make({ rpcUrls: Object.fromEntries(nodes) })
  )

/** Creates a reader for Solana networks. */
export const solanaReader = (nodes: ReadonlyArray<Node>) =>
  Effect.flatMap(
    Effect.promise(() => import("@geoswap/signer-solana")),
    ({ SolanaReader }) => SolanaReader.make({ rpcUrls: Object.fromEntries(nodes) })
  )

/** Creates a viem client for a node, for what the readers do not read. */
export const evmClient = async (rpcUrl: string) => {
  const { createPublicClient, http } = await import("viem")
  const fetchFn = refuseRedirects((input: string | URL | Request, init) => fetch(input, init))
  return createPublicClient({ transport: http(rpcUrl, { fetchFn, timeout: 10_000, retryCount: 1 }) })
}

/** A failed read. The cause may contain the node's URL, and the URL a key, so the message comes from the readers. */
export const nodeFailure = (chainId: number, message: string) =>
  failure(message, `Check chains.${chainId}.rpcUrl in the configuration.`)

/** Reads a chain through one node. */
export const readChain = <A>(
  { id, family }: Pick<KnownChain, "id" | "family">,
  rpcUrl: string,
  read: (reader: ChainReader.Evm | ChainReader.Solana) => Effect.Effect<A, SwapError.ReaderError>
) => {
  const nodes = [[id, rpcUrl]] as const
  const reader = family === "evm" ? evmReader(nodes) : solanaReader(nodes)
  return Effect.mapError(Effect.flatMap(reader, read), ({ message }) => nodeFailure(id, message))
}

/** Reads how much a wallet holds of each of the given tokens. */
export const readBalances = <T extends Pick<Token, "address">>(
  chain: KnownChain,
  rpcUrl: string,
  wallet: string,
  tokens: ReadonlyArray<T>
) =>
  Chain.isAddress(chain.family, wallet)
    ? readChain(chain, rpcUrl, ({ balance }) =>
        balance === undefined
          ? Effect.succeed([])
          : Effect.forEach(
              tokens,
              (token) =>
                Effect.map(balance({ chainId: chain.id, token: token.address, wallet }), (amount) => ({
                  token,
                  amount
                })),
              { concurrency: 8 }
            )
      )
    : Effect.succeed([])
