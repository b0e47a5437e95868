/** The accounts and contracts of the tests. They are the same on every chain, so that the addresses are known in advance. */
import {
  type Address,
  concat,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  maxUint256,
  numberToHex,
  pad,
  parseEther,
  parseEventLogs,
  parseSignature,
  type PrivateKeyAccount,
  type SignedAuthorizationList,
  toHex,
  type TransactionReceipt
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import { type Chain, genesis, type Outcome } from "./chain.ts"

/** A public test key. */
const known = (index: number): PrivateKeyAccount => privateKeyToAccount(numberToHex(0xabcd00 + index, { size: 32 }))

export const owner = known(1)
export const relayer = known(2)
export const guardian = known(3)
export const stranger = known(4)
/** A wallet with tokens and without gas. */
export const wallet = known(5)
/** Another wallet like it. */
export const otherWallet = known(6)
/** The recipient of outputs, an unused address. */
export const recipient: Address = "0x00000000000000000000000000000000C0FFEE01"

const deployed = (nonce: bigint): Address => getContractAddress({ from: owner.address, nonce })

export const vault = deployed(0n)
/** The account contract that the vault deploys. */
export const delegate = getContractAddress({ from: vault, nonce: 1n })
export const usdc = deployed(1n)
export const weth = deployed(2n)
export const native: Address = "0x0000000000000000000000000000000000000000"

/** The balance of each wallet and of the vault, for each token. */
export const holding = parseEther("1000")
export const cap = parseEther("500")

/** The init code of a token. */
export const tokenOf = (name: string, symbol: string, decimals: number): Hex =>
  concat([
    TestToken.bytecode,
    encodeAbiParameters([{ type: "string" }, { type: "string" }, { type: "uint8" }], [name, symbol, decimals])
  ])

/** The init code of an account for a vault. */
export const accountOf = (vault: Address): Hex =>
  concat([GeoAccount.bytecode, encodeAbiParameters([{ type: "address" }], [vault])])

/** Deploys everything, with one relayer, one guardian, and a cap for each token. */
export const deployFixture = async (chain: Chain): Promise<void> => {
  for (const { address } of [owner, relayer, guardian, stranger])
    await chain.client.setBalance({ address, value: parseEther("1000") })
  await chain.deploy(owner, concat([GeoVault.bytecode, encodeAbiParameters([{ type: "address" }], [owner.address])]))
  await chain.deploy(owner, tokenOf("USD Coin", "USDC", 6))
  await chain.deploy(owner, tokenOf("Wrapped Ether", "WETH", 18))
  await chain.write(owner, vault, GeoVault, "setRelayer", [relayer.address, true])
  await chain.write(owner, vault, GeoVault, "setGuardian", [guardian.address, true])
  for (const token of [usdc, weth, native]) await chain.write(owner, vault, GeoVault, "setCap", [token, cap])
  for (const token of [usdc, weth])
    for (const to of [wallet.address, otherWallet.address, vault])
      await chain.write(owner, token, TestToken, "mint", [to, holding])
  await chain.client.setBalance({ address: vault, value: holding })
}

/** An operation for the vault. */
export interface Operation {
  readonly token: Address
  readonly amount: bigint
  readonly orderId: Hex
  readonly terms: Hex
  readonly nonce: bigint
  readonly deadline: bigint
}

/** A valid operation, with overrides. */
export const operation = (fields: Partial<Operation> = {}): Operation => ({
  token: usdc,
  amount: 10_000_000n,
  orderId: `0x${"a1".repeat(32)}`,
  terms: `0x${"b2".repeat(32)}`,
  nonce: 0n,
  deadline: genesis + 3600n,
  ...fields
})

/** What a signature depends on, in addition to the operation. */
export interface Domain {
  readonly chainId: number
  readonly wallet: Address
  readonly delegate: Address
  readonly vault: Address
}

export const domainOf = (wallet: Address, fields: Partial<Domain> = {}): Domain => ({
  chainId: 31337,
  wallet,
  delegate,
  vault,
  ...fields
})

const words = (length: number) => Array.from({ length }, () => ({ type: "bytes32" }) as const)
const hashText = (text: string): Hex => keccak256(toHex(text))

/** The digest, computed step by step: a check of core's `hashOperation` must not use core's types. */
export const digestOf = (domain: Domain, op: Operation): Hex => {
  const hashed = (type: string, values: ReadonlyArray<Hex | bigint>) =>
    keccak256(
      encodeAbiParameters(words(values.length + 1), [
        hashText(type),
        ...values.map((value) =>
          typeof value === "bigint" ? numberToHex(value, { size: 32 }) : pad(value, { size: 32 })
        )
      ])
    )
  return keccak256(
    concat([
      "0x1901",
      hashed("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)", [
        hashText("GeoSwap"),
        hashText("1"),
        BigInt(domain.chainId),
        domain.delegate
      ]),
      hashed(
        "GeoOp(address wallet,address token,uint256 amount,address vault,bytes32 orderId,Terms terms,uint256 nonce,uint256 deadline)" +
          "Terms(uint256 destinationChain,bytes32 outputToken,bytes32 recipient,uint256 minOutput)",
        [domain.wallet, op.token, op.amount, domain.vault, op.orderId, op.terms, op.nonce, op.deadline]
      )
    ])
  )
}

/** The high s of a signature: valid on the curve, but refused everywhere. */
export const highS = (s: Hex): Hex =>
  numberToHex(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n - BigInt(s), {
    size: 32
  })

/** A signature for the vault. */
export interface Presented {
  readonly r: Hex
  readonly vs: Hex
}

/** The two halves of a 65-byte signature, with the parity in the highest bit. */
export const present = (signature: Hex): Presented => {
  const { r, s, yParity } = parseSignature(signature)
  return { r, vs: numberToHex(BigInt(s) | (BigInt(yParity) << 255n), { size: 32 }) }
}

/** The wallet's personal_sign over the 32 bytes of the digest. */
export const sign = async (
  signer: PrivateKeyAccount,
  op: Operation,
  domain: Partial<Domain> = {}
): Promise<Presented> =>
  present(await signer.signMessage({ message: { raw: digestOf(domainOf(signer.address, domain), op) } }))

/** The wallet's signed delegation. */
export const authorize = async (
  signer: PrivateKeyAccount,
  fields: { readonly chainId?: number; readonly address?: Address; readonly nonce?: number } = {}
): Promise<SignedAuthorizationList[number]> =>
  signer.signAuthorization({ chainId: 31337, address: delegate, nonce: 0, ...fields })

/** Presents an operation to the vault. */
export const collect = (
  chain: Chain,
  account: Address,
  op: Operation,
  { r, vs }: Presented,
  authorizationList?: SignedAuthorizationList,
  by: PrivateKeyAccount = relayer
): Promise<Outcome> =>
  chain.write(
    by,
    vault,
    GeoVault,
    "collect",
    [account, op, r, vs],
    authorizationList === undefined ? {} : { authorizationList }
  )

/** Collects from a delegated wallet at a given time: relayers can refund only what was collected. */
export const payIn = async (
  chain: Chain,
  amount: bigint,
  fields: Partial<Omit<Operation, "amount">> = {},
  signer: PrivateKeyAccount = wallet
): Promise<Outcome> => {
  const op = operation({ deadline: maxUint256, ...fields, amount })
  return collect(chain, signer.address, op, await sign(signer, op))
}

/** Delegates a wallet in a separate transaction. */
export const delegateTo = async (
  chain: Chain,
  signer: PrivateKeyAccount,
  address: Address = delegate,
  nonce = 0
): Promise<Outcome> => {
  const authorization = await authorize(signer, { chainId: chain.id, address, nonce })
  return chain.send(stranger, { to: stranger.address, authorizationList: [authorization] })
}

export const balanceOf = (chain: Chain, token: Address, holder: Address): Promise<bigint> =>
  isAddressEqual(token, native)
    ? chain.client.getBalance({ address: holder })
    : chain.read(token, TestToken, "balanceOf", [holder])

/** The events of the vault in a receipt; events of other addresses are ignored. */
export const eventsOf = ({ logs }: TransactionReceipt) =>
  parseEventLogs({
    abi: GeoVault.abi,
    logs: logs.filter(({ address }) => isAddressEqual(address, vault))
  }).map(({ args, eventName }) => ({ eventName, args }))
