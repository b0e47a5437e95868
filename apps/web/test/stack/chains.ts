/** Reads and changes the chains directly, without the service. */
import { GeoVault, Permit2 } from "@geoswap/contracts"
import { ForeignAccount, PausableToken } from "@geoswap/contracts/testing"
import type { RunningDevnet } from "@geoswap/devnet"
import { address, createSolanaRpc } from "@solana/kit"
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  erc20Abi,
  type Hex,
  http
} from "viem"
import { privateKeyToAccount } from "viem/accounts"

export type EvmChain = RunningDevnet["evmA"]
export type AnyChain = EvmChain | RunningDevnet["solana"]

/** Returns a token of a chain by its symbol. */
export const tokenOf = (chain: AnyChain, symbol: string) => {
  const { name, tokens } = chain
  const others = chain.family === "evm" ? chain.paymentTokens : []
  const token = [...tokens, ...others].find((one) => one.symbol === symbol)
  if (token === undefined) throw new Error(`There is no ${symbol} on ${name}.`)
  return token
}

/** Reads a token balance from the chain, in smallest units. */
export const balanceOf = async (chain: AnyChain, token: string, owner: string): Promise<bigint> => {
  if (chain.family === "evm") {
    const abi = { abi: erc20Abi, functionName: "balanceOf", args: [owner as Address] } as const
    return createPublicClient({ transport: http(chain.rpcUrl) }).readContract({ ...abi, address: token as Address })
  }
  const { value } = await createSolanaRpc(chain.rpcUrl)
    .getTokenAccountsByOwner(
      address(owner),
      { mint: address(token) },
      { commitment: "finalized", encoding: "jsonParsed" }
    )
    .send()
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
}

/** Reads a native balance. */
export const nativeBalanceOf = ({ rpcUrl }: EvmChain, owner: string): Promise<bigint> =>
  createPublicClient({ transport: http(rpcUrl) }).getBalance({ address: owner as Address })

/** Delegates a wallet to a contract, or removes the delegation, without a signature. */
export const delegate = ({ rpcUrl }: EvmChain, wallet: string, contract: string | undefined): Promise<void> =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl) }).setCode({
    address: wallet as Address,
    bytecode: contract === undefined ? "0x" : `0xef0100${contract.slice(2)}`
  })

/** Puts code at an address that rejects every payment in the native token. */
export const refusePayments = ({ rpcUrl }: EvmChain, address: string): Promise<void> =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl) }).setCode({
    address: address as Address,
    bytecode: "0x60006000fd"
  })

/** Sends transactions from a key, and waits for them. */
const senderOf = ({ id, name, rpcUrl }: EvmChain, privateKey: string) => {
  const [account, transport] = [privateKeyToAccount(privateKey as Hex), http(rpcUrl)]
  const ether = { name: "Ether", symbol: "ETH", decimals: 18 }
  const known = defineChain({ id, name, nativeCurrency: ether, rpcUrls: { default: { http: [rpcUrl] } } })
  const client = createWalletClient({ account, transport, chain: known })
  const reader = createPublicClient({ transport, pollingInterval: 50 })
  const done = async (sent: Promise<Hex>) => {
    const receipt = await reader.waitForTransactionReceipt({ hash: await sent })
    if (receipt.status !== "success") throw new Error(`Transaction ${receipt.transactionHash} failed on ${name}.`)
    return receipt
  }
  const deploy = async (what: Promise<Hex>): Promise<Address> => {
    const { contractAddress } = await done(what)
    if (typeof contractAddress !== "string") throw new Error("The contract has no address.")
    return contractAddress
  }
  return { client, deploy, done }
}

/** Deploys the account of another provider, which rejects a wallet's plain signatures. */
export const deployForeignAccount = (chain: EvmChain, ownerKey: string): Promise<Address> => {
  const { client, deploy } = senderOf(chain, ownerKey)
  return deploy(client.deployContract({ abi: [], bytecode: ForeignAccount.bytecode }))
}

/** Approves Permit2 with a transaction of the wallet, which gets gas for it. */
export const approvePermit2 = async (chain: EvmChain, privateKey: string, token: string, amount: bigint) => {
  const { client, done } = senderOf(chain, privateKey)
  await createTestClient({ mode: "anvil", transport: http(chain.rpcUrl) }).setBalance({
    address: client.account.address,
    value: 10n ** 18n
  })
  const approval = { abi: erc20Abi, functionName: "approve", args: [Permit2.address, amount] } as const
  await done(client.writeContract({ ...approval, address: token as Address }))
}

/** Reads how many transactions a wallet has sent, and its code. */
export const accountOf = async ({ rpcUrl }: EvmChain, wallet: string) => {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const address = wallet as Address
  return { sent: await client.getTransactionCount({ address }), code: await client.getCode({ address }) }
}

/** A token that can be paused. */
export interface Pausable {
  readonly token: { readonly symbol: string; readonly address: string; readonly decimals: number }
  readonly setPaused: (paused: boolean) => Promise<void>
}

/** Deploys a pausable token and funds the vault with it. */
export const deployPausable = async (chain: EvmChain, ownerKey: string): Promise<Pausable> => {
  const { client: owner, deploy, done } = senderOf(chain, ownerKey)
  const contractAddress = await deploy(owner.deployContract(PausableToken))
  const token = { abi: PausableToken.abi, address: contractAddress }
  const vault = chain.contracts.vault as Address
  const amount = 1_000_000_000_000n
  await done(owner.writeContract({ ...token, functionName: "mint", args: [vault, amount] }))
  const capped = { abi: GeoVault.abi, address: vault, functionName: "setCap" } as const
  await done(owner.writeContract({ ...capped, args: [contractAddress, amount] }))
  return {
    token: { symbol: "PSE", address: contractAddress, decimals: 6 },
    setPaused: async (paused) => {
      await done(owner.writeContract({ ...token, functionName: "setPaused", args: [paused] }))
    }
  }
}
