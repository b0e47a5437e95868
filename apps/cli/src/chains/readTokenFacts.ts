/** Reads a token's decimals and symbol from its chain, through the user's node. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { describeFailure, NodeError } from "./Balances.js"
import { evmClient, solanaClient, timeout } from "./nodeClients.js"

/**
 * A token's decimals and symbol. A Solana mint has no symbol, and some EVM tokens have a symbol that cannot be read.
 */
export interface TokenFacts {
  readonly decimals: number
  readonly symbol: string | undefined
}

/** A token on a chain. */
interface TokenLocation {
  readonly chainId: number
  readonly kind: Chain.Family
  readonly address: string
}

const abi = [
  { type: "function", name: "decimals", stateMutability: "view", inputs: [], outputs: [{ type: "uint8" }] },
  { type: "function", name: "symbol", stateMutability: "view", inputs: [], outputs: [{ type: "string" }] }
] as const

const solanaMainnetGenesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"

/** The programs that own mint accounts: Token and Token-2022. */
const tokenPrograms: ReadonlySet<string> = new Set([
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
])

const nodeError = (message: string, next: string) => new NodeError({ message, next })

const otherChain = (chainId: number, found: string) =>
  nodeError(
    `Your node serves the wrong chain: expected chain ${chainId}, got ${found}.`,
    "Use a node for the right chain."
  )

const readEvm = async (rpcUrl: string, { address, chainId }: TokenLocation): Promise<TokenFacts> => {
  const client = await evmClient(rpcUrl)
  const found = await client.getChainId()
  if (found !== chainId) throw otherChain(chainId, `chain ${found}`)
  const contract = { abi, address: `0x${address.slice(2)}` } as const
  const code = await client.getCode({ address: contract.address })
  if (code === undefined || code === "0x") {
    throw nodeError(`There is no contract at ${address} on chain ${chainId}.`, "Check the address and the chain.")
  }
  const [decimals, symbol] = await Promise.allSettled([
    client.readContract({ ...contract, functionName: "decimals" }),
    client.readContract({ ...contract, functionName: "symbol" })
  ])
  if (decimals.status === "rejected") {
    throw nodeError(
      `The contract at ${address} reports no decimals.`,
      "Check the address. The contract may not be a token."
    )
  }
  return { decimals: decimals.value, symbol: symbol.status === "fulfilled" ? symbol.value : undefined }
}

/** Returns the decimals from a mint's parsed account data. */
const decimalsOf = (data: unknown): number | undefined => {
  const parsed =
    typeof data === "object" && data !== null && "parsed" in data && typeof data.parsed === "object"
      ? data.parsed
      : null
  if (parsed === null || !("type" in parsed) || parsed.type !== "mint" || !("info" in parsed)) return undefined
  const { info } = parsed
  const decimals = typeof info === "object" && info !== null && "decimals" in info ? Number(info.decimals) : Number.NaN
  return Number.isInteger(decimals) ? decimals : undefined
}

const readSolana = async (rpcUrl: string, { address: mint, chainId }: TokenLocation): Promise<TokenFacts> => {
  const { address } = await import("@solana/kit")
  const rpc = await solanaClient(rpcUrl)
  const abort = { abortSignal: AbortSignal.timeout(timeout) }
  if (chainId === Chain.solanaMainnet) {
    const genesis = await rpc.getGenesisHash().send(abort)
    if (genesis !== solanaMainnetGenesis) throw otherChain(chainId, "another Solana network")
  }
  const { value } = await rpc.getAccountInfo(address(mint), { encoding: "jsonParsed" }).send(abort)
  const decimals = value !== null && tokenPrograms.has(value.owner) ? decimalsOf(value.data) : undefined
  if (decimals === undefined) {
    throw nodeError(`${mint} is not a token mint on chain ${chainId}.`, "Check the address and the network.")
  }
  return { decimals, symbol: undefined }
}

/** Reads a token's decimals and symbol. Error messages omit the node's URL, which may contain a key. */
export const readTokenFacts = (rpcUrl: string, token: TokenLocation): Effect.Effect<TokenFacts, NodeError> =>
  Effect.tryPromise({
    try: () => (token.kind === "evm" ? readEvm : readSolana)(rpcUrl, token),
    catch: (cause) =>
      cause instanceof NodeError
        ? cause
        : nodeError(
            describeFailure(`Your node for chain ${token.chainId}`, cause),
            `Check --rpc, or chains.${token.chainId}.rpcUrl in the configuration.`
          )
  })
