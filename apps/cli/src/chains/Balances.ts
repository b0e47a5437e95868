/** Reads balances and contract code from the user's nodes. */
import { Chain } from "@geoswap/core"
import { findRedirect } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { KnownChain, PinnedToken, Token } from "./Directory.js"
import { evmClient, solanaClient, timeout } from "./nodeClients.js"

/** A node did not return a valid response. Error messages omit the node's URL, which may contain a key. */
export class NodeError extends Schema.TaggedError<NodeError>()("NodeError", {
  message: Schema.String,
  next: Schema.String
}) {}

/** The balance of a token. */
export interface Balance<T extends Token = PinnedToken> {
  readonly token: T
  readonly amount: bigint
}

/** Describes a failure: a redirect, or anything else. The cause may contain the node's URL. */
export const describeFailure = (node: string, cause: unknown): string => {
  const redirect = findRedirect(cause)
  return redirect === undefined ? `${node} did not return a valid response.` : `${node} failed: ${redirect.message}`
}

const failed = ({ id, name }: KnownChain, cause: unknown) =>
  new NodeError({
    message: describeFailure(`The node for ${name}`, cause),
    next: `Check chains.${id}.rpcUrl in the configuration.`
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
  const { address } = await import("@solana/kit")
  const rpc = await solanaClient(rpcUrl)
  const abort = { abortSignal: AbortSignal.timeout(timeout) }
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

/** Reads how much a wallet holds of each of the given tokens. */
export const read = <T extends Token>(
  chain: KnownChain,
  rpcUrl: string,
  wallet: string,
  tokens: ReadonlyArray<T>
): Effect.Effect<ReadonlyArray<Balance<T>>, NodeError> =>
  Chain.isAddress(chain.kind, wallet)
    ? Effect.tryPromise({
        try: () => (chain.kind === "evm" ? readEvm : readSolana)(rpcUrl, tokens, wallet),
        catch: (cause) => failed(chain, cause)
      })
    : Effect.succeed([])

/** Reads an EVM node's chain id, and the hash of the code at an address (`undefined` if there is no code). */
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
    catch: (cause) => failed(chain, cause)
  })

const addressGetter = (name: string) =>
  ({ type: "function", name, stateMutability: "view", inputs: [], outputs: [{ type: "address" }] }) as const

const vaultAbi = [addressGetter("firstDelegate"), addressGetter("secondDelegate")] as const

/**
 * Reads a vault's two first account contracts: versions 1 and 2. They are `undefined` if the vault does not report them,
 * because it is older than version 2.
 */
export const readAccounts = (
  chain: KnownChain,
  rpcUrl: string,
  vault: string
): Effect.Effect<{ readonly first: string | undefined; readonly second: string | undefined }, NodeError> =>
  Effect.tryPromise({
    try: async () => {
      const { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } = await import("viem")
      const client = await evmClient(rpcUrl)
      const read = (functionName: "firstDelegate" | "secondDelegate") =>
        client.readContract({ abi: vaultAbi, address: hex(vault), functionName }).catch((error: unknown) => {
          // The vault does not have the function.
          const isMissing =
            error instanceof BaseError &&
            error.walk(
              (cause) =>
                cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError
            ) !== null
          if (isMissing) return undefined
          throw error
        })
      return { first: await read("firstDelegate"), second: await read("secondDelegate") }
    },
    catch: (cause) => failed(chain, cause)
  })
