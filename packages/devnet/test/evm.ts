/** Test helpers for EVM chains, based on viem. */
import { GeoVault } from "@geoswap/contracts"
import {
  type Address,
  concat,
  createPublicClient,
  createWalletClient,
  domainSeparator,
  encodeAbiParameters,
  type Hash,
  type Hex,
  http,
  keccak256,
  parseAbiParameters,
  parseSignature,
  type SignedAuthorization,
  signatureToCompactSignature,
  toHex
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { type EvmWallet, evmWallet } from "../src/Wallets.js"

/** The fields of a chain that are used here. */
export interface Where {
  readonly id: number
  readonly rpcUrl: string
  readonly contracts: { readonly account: string; readonly vault: string }
  readonly tokens: ReadonlyArray<{ readonly address: string }>
}

const chainOf = ({ id, rpcUrl }: Where) => ({
  id,
  name: "devnet",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } }
})

/** A read-only client. */
export const reader = (where: Where) =>
  createPublicClient({ chain: chainOf(where), transport: http(where.rpcUrl), cacheTime: 0, pollingInterval: 50 })

const relayerClient = (where: Where) =>
  createWalletClient({
    chain: chainOf(where),
    // Without a timeout, a request without a response would never end.
    transport: http(where.rpcUrl, { timeout: 600_000 }),
    account: privateKeyToAccount(evmWallet("relayer").privateKey)
  })

/** Sends an empty transaction from the relayer. */
export const ping = (where: Where, to: Address, fees: { readonly maxFeePerGas?: bigint } = {}): Promise<Hash> =>
  relayerClient(where).sendTransaction({ to, value: 1n, gas: 21_000n, maxPriorityFeePerGas: 1n, ...fees })

/** Submits a wallet's delegation from the relayer. */
export const redelegate = (where: Where, authorization: SignedAuthorization): Promise<Hash> => {
  const client = relayerClient(where)
  return client.sendTransaction({ to: client.account.address, authorizationList: [authorization], gas: 100_000n })
}

/** An operation for the vault. */
export interface Op {
  readonly token: Address
  readonly amount: bigint
  readonly orderId: Hex
  readonly terms: Hex
  readonly nonce: bigint
  readonly deadline: bigint
}

const hashText = (text: string): Hex => keccak256(toHex(text))
const operationType =
  "GeoOp(address wallet,address token,uint256 amount,address vault,bytes32 orderId,Terms terms,uint256 nonce,uint256 deadline)" +
  "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)"

/** The digest that a wallet signs for an operation, whose `terms` may be any hash. */
export const digestOf = ({ contracts, id }: Where, wallet: Address, op: Op): Hex => {
  const domain = domainSeparator({
    domain: { name: "GeoSwap", version: "1", chainId: id, verifyingContract: contracts.account as Address }
  })
  const struct = keccak256(
    encodeAbiParameters(
      parseAbiParameters("bytes32, address, address, uint256, address, bytes32, bytes32, uint256, uint256"),
      [
        hashText(operationType),
        wallet,
        op.token,
        op.amount,
        contracts.vault as Address,
        op.orderId,
        op.terms,
        op.nonce,
        op.deadline
      ]
    )
  )
  return keccak256(concat(["0x1901", domain, struct]))
}

/** Submits an operation from the relayer, signed with personal_sign unless it is collected as typed data. */
export const present = (
  where: Where,
  wallet: Address,
  op: Op,
  signature: Hex,
  authorization: SignedAuthorization,
  functionName: "collect" | "collectTyped" = "collect"
): Promise<Hash> => {
  const { r, yParityAndS } = signatureToCompactSignature(parseSignature(signature))
  return relayerClient(where).writeContract({
    abi: GeoVault.abi,
    address: where.contracts.vault as Address,
    functionName,
    args: [wallet, op, r, yParityAndS],
    authorizationList: [authorization],
    gas: 400_000n
  })
}

/** Pays a token out of the vault for an order, from the relayer. */
export const payOut = (
  where: Where,
  functionName: "deliver" | "refund",
  orderId: Hex,
  to: Address,
  amount: bigint
): Promise<Hash> =>
  relayerClient(where).writeContract({
    abi: GeoVault.abi,
    address: where.contracts.vault as Address,
    functionName,
    args: [orderId, where.tokens[0]?.address as Address, to, amount],
    gas: 400_000n
  })

/** Collects a token from a wallet that never had gas: it signs the delegation and the operation, and the relayer submits them. */
export const collect = async (where: Where, wallet: EvmWallet, amount: bigint): Promise<Hash> => {
  const account = privateKeyToAccount(wallet.privateKey)
  const op = {
    token: where.tokens[0]?.address as Address,
    amount,
    orderId: keccak256(toHex(`${wallet.name} ${Date.now()}`)),
    terms: keccak256(toHex("terms")),
    nonce: 0n,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 90)
  }
  const signature = await account.signMessage({ message: { raw: digestOf(where, account.address, op) } })
  const delegation = { address: where.contracts.account as Address, chainId: where.id, nonce: 0 }
  return present(where, account.address, op, signature, await account.signAuthorization(delegation))
}
