/** Orders that are paid as typed data: their signatures, and the vault's functions that take them. */
import {
  type Address,
  concat,
  encodeAbiParameters,
  hashStruct,
  hashTypedData,
  type Hex,
  maxUint256,
  pad,
  parseEther,
  type PrivateKeyAccount
} from "viem"
import * as AuthorizedToken from "../src/generated/AuthorizedToken.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import * as TestToken from "../src/generated/TestToken.ts"
import * as Permit2 from "../src/Permit2.ts"
import * as Permit2Deployment from "../src/Permit2Deployment.ts"
import * as TypedData from "../src/TypedData.ts"
import { type Chain, encode, genesis, type Outcome } from "./chain.ts"
import {
  authorize,
  cap,
  delegate,
  holding,
  otherWallet,
  owner,
  present,
  type Presented,
  relayer,
  vault,
  wallet,
  weth
} from "./fixture.ts"

import * as Batcher from "./generated/Batcher.ts"
import * as NestingToken from "./generated/NestingToken.ts"

/** The ways to pay with typed data. */
export const methods = ["typed", "eip3009", "permit2", "erc2612"] as const
export type Method = (typeof methods)[number]

export interface Terms {
  readonly destinationChain: bigint
  readonly outputToken: Hex
  readonly recipient: Hex
  readonly minOutput: bigint
}

/** Everything that a signature binds. */
export interface Order {
  readonly chainId: number
  readonly vault: Address
  readonly delegate: Address
  readonly wallet: Address
  readonly token: Address
  readonly amount: bigint
  readonly orderId: Hex
  readonly terms: Terms
  readonly deadline: bigint
  /** The nonce of an operation, or the index of a nonce in Permit2. */
  readonly index: bigint
  /** The nonce of the permit. */
  readonly permitNonce: bigint
}

/** A signature for the vault. Only ERC-2612 has a permit. */
export interface Signed extends Presented {
  readonly permit?: Presented
}

export const hashTerms = (terms: Terms): Hex =>
  hashStruct({ types: TypedData.terms, primaryType: "Terms", data: { ...terms } })

export const hashOrder = ({ chainId, orderId, terms, wallet }: Order): Hex =>
  hashStruct({
    types: TypedData.order,
    primaryType: "GeoOrder",
    data: { wallet, chainId: BigInt(chainId), orderId, terms: { ...terms } }
  })

/** The init code of a token with EIP-3009 and ERC-2612, which has the name of every other token here. */
export const authorizedToken = (asksCode = false): Hex =>
  concat([
    AuthorizedToken.bytecode,
    encodeAbiParameters(
      [{ type: "string" }, { type: "string" }, { type: "uint8" }, { type: "bool" }],
      ["USD Coin", "USDC", 6, asksCode]
    )
  ])

const domainOfToken = ({ chainId, token }: Order) => ({
  name: "USD Coin",
  version: "1",
  chainId,
  verifyingContract: token
})

/** The typed data of the payment. */
export const typedData = {
  typed: ({ amount, chainId, deadline, delegate, index, orderId, terms, token, vault, wallet }: Order) => ({
    domain: { name: "GeoSwap", version: "1", chainId, verifyingContract: delegate },
    types: TypedData.operation,
    primaryType: "GeoOp" as const,
    message: { wallet, token, amount, vault, orderId, terms, nonce: index, deadline }
  }),
  eip3009: (order: Order) => ({
    domain: domainOfToken(order),
    types: TypedData.authorization,
    primaryType: "ReceiveWithAuthorization" as const,
    message: {
      from: order.wallet,
      to: order.vault,
      value: order.amount,
      validAfter: 0n,
      validBefore: order.deadline,
      nonce: hashOrder(order)
    }
  }),
  permit2: ({ amount, chainId, deadline, index, orderId, terms, token, vault, wallet }: Order) => ({
    domain: { name: Permit2.domainName, chainId, verifyingContract: Permit2.address },
    types: TypedData.permit2,
    primaryType: "PermitWitnessTransferFrom" as const,
    message: {
      permitted: { token, amount },
      spender: vault,
      nonce: Permit2.firstNonce + index,
      deadline,
      witness: { wallet, chainId: BigInt(chainId), orderId, terms }
    }
  }),
  permit: (order: Order, spender: Address = Permit2.address) => ({
    domain: domainOfToken(order),
    types: TypedData.permit,
    primaryType: "Permit" as const,
    message: {
      owner: order.wallet,
      spender,
      value: order.amount,
      nonce: order.permitNonce,
      deadline: order.deadline
    }
  })
}

/** The digest of the payment, which is the `geoOpHash` of the order. */
export const paymentDigest = (method: Method, order: Order): Hex =>
  method === "typed"
    ? hashTypedData(typedData.typed(order))
    : method === "eip3009"
      ? hashTypedData(typedData.eip3009(order))
      : hashTypedData(typedData.permit2(order))

/** The wallet's signature of an order, as typed data. */
export const signOrder = async (method: Method, signer: PrivateKeyAccount, order: Order): Promise<Signed> => {
  const payment = present(await signer.sign({ hash: paymentDigest(method, order) }))
  return method === "erc2612" ? { ...payment, permit: await signPermit(signer, order) } : payment
}

export const signPermit = async (signer: PrivateKeyAccount, order: Order, spender?: Address): Promise<Presented> =>
  present(await signer.signTypedData(typedData.permit(order, spender)))

/** The call of the vault that collects an order. */
export const collection = (method: Method, order: Order, { permit, r, vs }: Signed): Hex => {
  const { amount, deadline, index, orderId, token, wallet } = order
  const terms = hashTerms(order.terms)
  const payment = { token, amount, orderId, terms, deadline }
  switch (method) {
    case "typed":
      return encode(GeoVault, "collectTyped", [
        wallet,
        { token, amount, orderId, terms, nonce: index, deadline },
        r,
        vs
      ])
    case "eip3009":
      return encode(GeoVault, "collectWithAuthorization", [wallet, payment, r, vs])
    case "permit2":
      return encode(GeoVault, "collectWithPermit2", [wallet, payment, index, r, vs])
    case "erc2612": {
      const approval = permit ?? { r, vs }
      return encode(GeoVault, "collectWithPermit", [wallet, payment, index, r, vs, approval.r, approval.vs])
    }
  }
}

/** Presents an order to its vault. */
export const collectOrder = (
  chain: Chain,
  method: Method,
  order: Order,
  signed: Signed,
  by: PrivateKeyAccount = relayer
): Promise<Outcome> => chain.send(by, { to: order.vault, data: collection(method, order, signed) })

/** A valid order, with overrides. */
export const orderOf = (token: Address, fields: Partial<Order> = {}): Order => ({
  chainId: 31337,
  vault,
  delegate: delegate,
  wallet: wallet.address,
  token,
  amount: 10_000_000n,
  orderId: `0x${"a1".repeat(32)}`,
  terms: {
    destinationChain: 31338n,
    outputToken: pad(weth, { size: 32 }),
    recipient: pad(wallet.address, { size: 32 }),
    minOutput: 2_400_000_000_000_000n
  },
  deadline: genesis + 36_000n,
  index: 0n,
  permitNonce: 0n,
  ...fields
})

/** Deploys Permit2 at its address. */
export const deployPermit2 = async (chain: Chain): Promise<void> => {
  const { deployData, deployer } = Permit2Deployment
  const { result } = await chain.send(owner, { to: deployer, data: deployData, gas: 5_000_000n })
  if (result !== "done") throw new Error(`Permit2 was not deployed: ${result}`)
}

/** Deploys a token with a cap, and with a balance for both wallets and the vault. */
export const issue = async (chain: Chain, bytecode: Hex): Promise<Address> => {
  const token = await chain.deploy(owner, bytecode)
  for (const to of [wallet.address, otherWallet.address, vault])
    await chain.write(owner, token, TestToken, "mint", [to, holding])
  await chain.write(owner, vault, GeoVault, "setCap", [token, cap])
  return token
}

/** Sends a transaction of a wallet, which gets gas for it. */
export const sendFrom = async (chain: Chain, signer: PrivateKeyAccount, to: Address, data: Hex): Promise<Outcome> => {
  await chain.client.setBalance({ address: signer.address, value: parseEther("1") })
  const outcome = await chain.send(signer, { to, data })
  await chain.client.setBalance({ address: signer.address, value: 0n })
  return outcome
}

/** Approves Permit2, without a limit unless one is given. */
export const approvePermit2 = (chain: Chain, signer: PrivateKeyAccount, token: Address, amount = maxUint256) =>
  sendFrom(chain, signer, token, encode(TestToken, "approve", [Permit2.address, amount]))

/** Delegates a wallet at its current nonce. */
export const delegateNow = async (chain: Chain, signer: PrivateKeyAccount, address: Address): Promise<Outcome> => {
  const nonce = await chain.client.getTransactionCount({ address: signer.address })
  const authorization = await authorize(signer, { chainId: chain.id, address, nonce })
  return chain.send(owner, { to: owner.address, authorizationList: [authorization] })
}

/** Makes a wallet ready for a method. */
export const enable = async (
  chain: Chain,
  method: Method,
  token: Address,
  signer: PrivateKeyAccount = wallet
): Promise<void> => {
  if (method === "typed") await delegateNow(chain, signer, delegate)
  if (method === "permit2") await approvePermit2(chain, signer, token)
}

/** Makes a nesting token call back during a payment: the vault refunds an amount, which is then returned twice. */
export const nestRefund = async (chain: Chain, to: Address, token: Address, amount: bigint): Promise<void> => {
  const batcher = await chain.deploy(owner, Batcher.bytecode)
  await chain.write(owner, to, GeoVault, "setRelayer", [batcher, true])
  await chain.write(owner, to, GeoVault, "setCap", [token, cap])
  const calls = [
    encode(GeoVault, "refund", [`0x${"cc".repeat(32)}`, token, batcher, amount]),
    encode(TestToken, "transfer", [to, amount]),
    encode(TestToken, "mint", [to, amount])
  ]
  await chain.write(owner, token, NestingToken, "nest", [batcher, encode(Batcher, "run", [[to, token, token], calls])])
}
