/** What a wallet holds, read from the chains' own nodes. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { KnownChain, PinnedToken, Token } from "./Directory.js"

/** A chain's node did not say what was asked of it. Its URL is not told: it may hold a key. */
export class NodeError extends Schema.TaggedError<NodeError>()("NodeError", {
  message: Schema.String,
  next: Schema.String
}) {}

/** How much of a token a wallet holds. */
export interface Balance<T extends Token = PinnedToken> {
  readonly token: T
  readonly amount: bigint
}

/** Milliseconds that a node may take. */
const patience = 10_000

const failed = ({ id, name }: KnownChain) =>
  new NodeError({
    message: `The node of ${name} does not answer as it should.`,
    next: `Check chains.${id}.rpcUrl of the configuration.`
  })

const erc20 = [
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ type: "address" }],
    outputs: [{ type: "uint256" }]
  }
] as const

/** A client of an EVM node. */
export const evmClient = async (rpcUrl: string) => {
  const { createPublicClient, http } = await import("viem")
  return createPublicClient({ transport: http(rpcUrl, { timeout: patience, retryCount: 1 }) })
}

const hex = (address: string): `0x${string}` => `0x${address.replace(/^0x/, "")}`

const readEvm = async <T extends Token>(
  rpcUrl: string,
  tokens: ReadonlyArray<T>,
  wallet: string
): Promise<ReadonlyArray<Balance<T>>> => {
  const client = await evmClient(rpcUrl)
  return Promise.all(
    tokens.map(async (token) => ({
      token,
      amount: token.native
        ? await client.getBalance({ address: hex(wallet) })
        : await client.readContract({
            abi: erc20,
            address: hex(token.address),
            functionName: "balanceOf",
            args: [hex(wallet)]
          })
    }))
  )
}

const readSolana = async <T extends Token>(
  rpcUrl: string,
  tokens: ReadonlyArray<T>,
  wallet: string
): Promise<ReadonlyArray<Balance<T>>> => {
  const { address, createSolanaRpc } = await import("@solana/kit")
  const rpc = createSolanaRpc(rpcUrl)
  const abort = { abortSignal: AbortSignal.timeout(patience) }
  const owner = address(wallet)
  return Promise.all(
    tokens.map(async (token) => {
      if (token.native) return { token, amount: (await rpc.getBalance(owner).send(abort)).value }
      const { value } = await rpc
        .getTokenAccountsByOwner(owner, { mint: address(token.address) }, { encoding: "jsonParsed" })
        .send(abort)
      const amounts = value.map(({ account }) => BigInt(account.data.parsed.info.tokenAmount.amount))
      return { token, amount: amounts.reduce((sum, amount) => sum + amount, 0n) }
    })
  )
}

/** What a wallet holds of some tokens of a chain whose node is known. */
export const read = <T extends Token>(
  chain: KnownChain,
  rpcUrl: string,
  wallet: string,
  tokens: ReadonlyArray<T>
): Effect.Effect<ReadonlyArray<Balance<T>>, NodeError> =>
  Chain.isAddress(chain.kind, wallet)
    ? Effect.tryPromise({
        try: () => (chain.kind === "evm" ? readEvm : readSolana)(rpcUrl, tokens, wallet),
        catch: () => failed(chain)
      })
    : Effect.succeed([])

/** Which chain an EVM node serves, and the hash of the code at an address; `undefined` where there is none. */
export const readCode = (
  chain: KnownChain,
  rpcUrl: string,
  address: string
): Effect.Effect<{ readonly chainId: number; readonly codeHash: string | undefined }, NodeError> =>
  Effect.tryPromise({
    try: async () => {
      const { keccak256 } = await import("viem")
      const client = await evmClient(rpcUrl)
      const [chainId, code] = await Promise.all([client.getChainId(), client.getCode({ address: hex(address) })])
      return { chainId, codeHash: code === undefined || code === "0x" ? undefined : keccak256(code) }
    },
    catch: () => failed(chain)
  })
