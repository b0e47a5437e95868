/** What tests do on the EVM chains of a devnet besides swapping, only with viem. */
import { GeoVault } from "@geoswap/contracts"
import { PausableToken, TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import {
  type Abi,
  type Address,
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  type Hash,
  type Hex,
  http,
  parseEventLogs,
  type PrivateKeyAccount,
  type SignedAuthorizationList,
  zeroAddress
} from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import * as Burner from "../../../../tooling/testing/burner.js"

const chainOf = ({ id, rpcUrl }: Pick<Devnet.EvmChain, "id" | "rpcUrl">) => ({
  id,
  name: "devnet",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } }
})

const makeReader = (chain: Pick<Devnet.EvmChain, "id" | "rpcUrl">) =>
  createPublicClient({ chain: chainOf(chain), transport: http(chain.rpcUrl), cacheTime: 0, pollingInterval: 50 })

const readers = new Map<string, ReturnType<typeof makeReader>>()

/** A client that only reads. */
export const reader = (chain: Pick<Devnet.EvmChain, "id" | "rpcUrl">) => {
  const known = readers.get(chain.rpcUrl) ?? makeReader(chain)
  readers.set(chain.rpcUrl, known)
  return known
}

/**
 * Waits until a transaction is in a block. viem's `waitForTransactionReceipt` may wait for the next block instead, and a
 * chain without empty blocks has none.
 */
const receiptOf = async (chain: Pick<Devnet.EvmChain, "id" | "rpcUrl">, hash: Hash) => {
  const client = reader(chain)
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt !== undefined) return receipt
    await new Promise((resolve) => setTimeout(resolve, client.pollingInterval))
  }
}

/** Waits until the block of a transaction is final. */
export const untilFinal = async (chain: Pick<Devnet.EvmChain, "id" | "rpcUrl">, hash: Hash): Promise<void> => {
  const { blockNumber } = await receiptOf(chain, hash)
  const client = reader(chain)
  while ((await client.getBlock({ blockTag: "finalized" })).number < blockNumber) {
    await new Promise((resolve) => setTimeout(resolve, client.pollingInterval))
  }
}

/** A transaction to send. */
interface Sending {
  readonly to?: Address | null | undefined
  readonly data?: Hex
  readonly value?: bigint
  readonly gas?: bigint | undefined
  readonly nonce?: number | undefined
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly authorizationList?: SignedAuthorizationList
}

/** More than any base fee of a test. */
const usual = { maxFeePerGas: 450_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 1_000_000n } as const

/** Sends from a key with gas. A wallet client of viem would read the fees and more for every transaction. */
export const sender = (chain: Pick<Devnet.EvmChain, "id" | "rpcUrl">, account: PrivateKeyAccount) => {
  const client = reader(chain)
  const sendTransaction = async ({ authorizationList, ...sending }: Sending): Promise<Hash> => {
    const nonce = sending.nonce ?? (await client.getTransactionCount({ address: account.address, blockTag: "pending" }))
    const transaction = { ...usual, ...sending, chainId: chain.id, nonce }
    const serializedTransaction = await account.signTransaction(
      authorizationList === undefined
        ? { ...transaction, type: "eip1559" }
        : { ...transaction, type: "eip7702", authorizationList }
    )
    return client.sendRawTransaction({ serializedTransaction })
  }
  return {
    account,
    sendTransaction,
    writeContract: ({ abi, address, args = [], functionName, ...sending }: Call & Sending): Promise<Hash> =>
      sendTransaction({ ...sending, to: address, data: encodeFunctionData({ abi, functionName, args }) }),
    deployContract: ({
      abi,
      args = [],
      bytecode,
      ...sending
    }: Pick<Call, "abi" | "args"> & Sending & { readonly bytecode: Hex }): Promise<Hash> =>
      sendTransaction({ ...sending, data: encodeDeployData({ abi, bytecode, args }) })
  }
}

/** The key of an operator of the devnet. */
export const operator = (devnet: Devnet.Devnet, role: "owner" | "relayer"): PrivateKeyAccount => {
  const found = devnet.operators.find((one) => one.family === "evm" && one.role === role)
  if (found === undefined) throw new Error(`There is no ${role}.`)
  return privateKeyToAccount(found.privateKey as Hex)
}

/** A contract call. */
export interface Call {
  readonly address: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args?: ReadonlyArray<unknown>
}

/** Sends a call of the vault's owner, and waits for it. */
export const asOwner = async (devnet: Devnet.Devnet, chain: Devnet.EvmChain, call: Call): Promise<Hash> => {
  const client = sender(chain, operator(devnet, "owner"))
  const hash = await client.writeContract({ ...call, gas: 1_000_000n })
  const { status } = await receiptOf(chain, hash)
  if (status !== "success") throw new Error(`${call.functionName} reverted.`)
  return hash
}

/** The address of a token by its symbol. */
export const tokenOf = (chain: Pick<Devnet.EvmChain, "tokens">, symbol: string): string => {
  const token = chain.tokens.find((one) => one.symbol === symbol)
  if (token === undefined) throw new Error(`There is no ${symbol}.`)
  return token.address
}

/** Mints a token of the devnet. */
export const mint = (devnet: Devnet.Devnet, chain: Devnet.EvmChain, symbol: string, to: string, amount: bigint) =>
  asOwner(devnet, chain, {
    address: tokenOf(chain, symbol) as Address,
    abi: TestToken.abi,
    functionName: "mint",
    args: [to, amount]
  })

/** Mints what an address lacks of a token. */
export const topUp = async (
  devnet: Devnet.Devnet,
  chain: Devnet.EvmChain,
  symbol: string,
  owner: Address,
  least: bigint
): Promise<void> => {
  const held = await balanceOf(chain, tokenOf(chain, symbol), owner)
  if (held < least) await mint(devnet, chain, symbol, owner, least - held)
}

/**
 * A new key. One address in 4,000 has no capital letter in its checksum, so that it looks like an address without one.
 * Such keys are not used, because transcripts state which form an address has.
 */
const newKey = (): { readonly account: PrivateKeyAccount; readonly privateKey: Hex } => {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  return account.address === account.address.toLowerCase() ? newKey() : { account, privateKey }
}

/** A new wallet with tokens on one chain and without gas. */
export const newWallet = async (
  devnet: Devnet.Devnet,
  chain: Devnet.EvmChain,
  amounts: Readonly<Record<string, bigint>>
): Promise<{ readonly account: PrivateKeyAccount; readonly privateKey: Hex }> => {
  const { account, privateKey } = newKey()
  for (const [symbol, amount] of Object.entries(amounts)) await mint(devnet, chain, symbol, account.address, amount)
  return { account, privateKey }
}

/** Sets the native balance of an address, even while the chain makes no blocks. */
export const setBalance = async (chain: Pick<Devnet.EvmChain, "id" | "rpcUrl">, address: string, amount: bigint) => {
  const request = reader(chain).request as (call: {
    readonly method: string
    readonly params: ReadonlyArray<string>
  }) => Promise<unknown>
  await request({ method: "hardhat_setBalance", params: [address, `0x${amount.toString(16)}`] })
}

/** The balance of an address in a token or in the native token. */
export const balanceOf = (chain: Devnet.EvmChain, token: string, owner: string): Promise<bigint> =>
  token === zeroAddress
    ? reader(chain).getBalance({ address: owner as Address })
    : reader(chain).readContract({
        abi: TestToken.abi,
        address: token as Address,
        functionName: "balanceOf",
        args: [owner as Address]
      })

/** All events of the vault. */
export const vaultEvents = async (chain: Devnet.EvmChain, vault = chain.contracts.vault) => {
  const logs = await reader(chain).getLogs({ address: vault as Address, fromBlock: 0n })
  return parseEventLogs({ abi: GeoVault.abi, logs })
}

/** Deploys a token that the vault knows and holds. */
const deployToken = async (
  devnet: Devnet.Devnet,
  chain: Devnet.EvmChain,
  bytecode: Hex,
  inVault: bigint
): Promise<Address> => {
  const client = sender(chain, operator(devnet, "owner"))
  const hash = await client.deployContract({ abi: [], bytecode, gas: 3_000_000n })
  const { contractAddress } = await receiptOf(chain, hash)
  if (contractAddress === null || contractAddress === undefined) throw new Error("The token was not deployed.")
  const vault = chain.contracts.vault as Address
  await asOwner(devnet, chain, {
    address: contractAddress,
    abi: TestToken.abi,
    functionName: "mint",
    args: [vault, inVault]
  })
  await asOwner(devnet, chain, {
    address: vault,
    abi: GeoVault.abi,
    functionName: "setCap",
    args: [contractAddress, 2n ** 200n]
  })
  return contractAddress
}

/** Deploys a pausable token that the vault knows and holds. */
export const deployPausable = (devnet: Devnet.Devnet, chain: Devnet.EvmChain, inVault: bigint): Promise<Address> =>
  deployToken(devnet, chain, PausableToken.bytecode, inVault)

/** Deploys another vault, which the relayer may use and which gets an amount of every token. */
export const deployVault = async (
  devnet: Devnet.Devnet,
  chain: Devnet.EvmChain,
  inVault: bigint,
  bytecode: Hex = GeoVault.bytecode
): Promise<{ readonly account: Address; readonly vault: Address }> => {
  const client = sender(chain, operator(devnet, "owner"))
  const deploying = await client.deployContract({
    abi: GeoVault.abi,
    bytecode,
    args: [client.account.address],
    gas: 8_000_000n
  })
  const { contractAddress: vault } = await receiptOf(chain, deploying)
  if (vault === null || vault === undefined) throw new Error("The vault was not deployed.")
  const call = (functionName: string, ...args: ReadonlyArray<unknown>) =>
    asOwner(devnet, chain, { address: vault, abi: GeoVault.abi, functionName, args })
  await call("setRelayer", operator(devnet, "relayer").address, true)
  for (const { address } of chain.tokens) {
    await call("setCap", address, 2n ** 200n)
    await asOwner(devnet, chain, {
      address: address as Address,
      abi: TestToken.abi,
      functionName: "mint",
      args: [vault, inVault]
    })
  }
  const account = await reader(chain).readContract({
    abi: GeoVault.abi,
    address: vault,
    functionName: "delegate"
  })
  return { account, vault }
}

/** A pending transaction in a node's pool. */
export interface Pooled {
  readonly hash: Hash
  readonly nonce: number
}

/** The pending transactions of a sender, ordered by nonce. */
export const poolOf = async (chain: Devnet.EvmChain, from: string): Promise<ReadonlyArray<Pooled>> => {
  type Content = Readonly<
    Record<"pending" | "queued", Readonly<Record<string, Readonly<Record<string, { hash: Hash }>>>>>
  >
  const request = reader(chain).request as (call: { readonly method: string }) => Promise<Content>
  const { pending, queued } = await request({ method: "txpool_content" })
  return [pending, queued]
    .flatMap((part) => Object.entries(part).filter(([sender]) => sender.toLowerCase() === from.toLowerCase()))
    .flatMap(([, waiting]) => Object.entries(waiting).map(([nonce, { hash }]) => ({ hash, nonce: Number(nonce) })))
    .toSorted((a, b) => a.nonce - b.nonce)
}

/** Outbids every fee of a relayer, to be first in the next block. */
export const firstInBlock = { maxFeePerGas: 400_000_000_000n, maxPriorityFeePerGas: 20_000_000_000n } as const

/** Sends a call of the owner before all pending transactions, without waiting for it. */
export const firstAsOwner = (devnet: Devnet.Devnet, chain: Devnet.EvmChain, call: Call): Promise<Hash> => {
  const client = sender(chain, operator(devnet, "owner"))
  return client.writeContract({ ...call, gas: 300_000n, ...firstInBlock })
}

/** Sends gas to a wallet that sends its own transaction. */
export const fund = async (devnet: Devnet.Devnet, chain: Devnet.EvmChain, to: Address): Promise<void> => {
  const owner = sender(chain, operator(devnet, "owner"))
  const hash = await owner.sendTransaction({ to, value: 10n ** 18n, gas: 50_000n })
  await receiptOf(chain, hash)
}

/**
 * Delegates a wallet to a contract, paid by the owner; first in its block, and not awaited. `later` counts the
 * wallet's pending delegations.
 */
export const delegate = async (
  devnet: Devnet.Devnet,
  chain: Devnet.EvmChain,
  account: PrivateKeyAccount,
  to: string,
  later = 0
): Promise<Hash> => {
  const nonce = (await reader(chain).getTransactionCount({ address: account.address })) + later
  const authorization = await account.signAuthorization({ address: to as Address, chainId: chain.id, nonce })
  return sender(chain, operator(devnet, "owner")).sendTransaction({
    to: account.address,
    authorizationList: [authorization],
    gas: 200_000n,
    ...firstInBlock
  })
}

/** A new wallet that is already delegated to our account. */
export const newDelegated = async (
  devnet: Devnet.Devnet,
  chain: Devnet.EvmChain,
  amounts: Readonly<Record<string, bigint>>
): Promise<PrivateKeyAccount> => {
  const { account } = await newWallet(devnet, chain, amounts)
  const hash = await delegate(devnet, chain, account, chain.contracts.account)
  await receiptOf(chain, hash)
  return account
}

/** A new address. */
export const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** Deploys a contract that is not a token and that the vault does not know. */
export const deploy = async (devnet: Devnet.Devnet, chain: Devnet.EvmChain, bytecode: Hex): Promise<Address> => {
  const client = sender(chain, operator(devnet, "owner"))
  const hash = await client.deployContract({ abi: [], bytecode, gas: 2_000_000n })
  const { contractAddress } = await receiptOf(chain, hash)
  if (contractAddress === null || contractAddress === undefined) throw new Error("It was not deployed.")
  return contractAddress
}

/**
 * Deploys a contract that accepts native tokens at no cost, as in a simulation, and rejects them in a block:
 * its code reverts unless `tx.gasprice` is zero.
 */
export const deployPretender = (devnet: Devnet.Devnet, chain: Devnet.EvmChain): Promise<Address> =>
  deploy(devnet, chain, "0x683a600557005b5f5ffd5f5260096017f3")

/** Deploys a contract that accepts native tokens, and burns its gas after a call. */
export const deployBurner = (devnet: Devnet.Devnet, chain: Devnet.EvmChain): Promise<Address> =>
  deploy(devnet, chain, Burner.bytecode)

/** Makes it burn gas, or stop. */
export const setBurning = async (
  devnet: Devnet.Devnet,
  chain: Devnet.EvmChain,
  to: Address,
  burns: boolean
): Promise<void> => {
  const owner = sender(chain, operator(devnet, "owner"))
  const hash = await owner.sendTransaction({ to, data: Burner.burning(burns), gas: 100_000n })
  await receiptOf(chain, hash)
}
