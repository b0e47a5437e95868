/** A devnet EVM chain that mines only on request, and operations on it for tests of `EvmChain`. */
import { GeoAccount, GeoVault } from "@geoswap/contracts"
import { PausableToken, TestToken } from "@geoswap/contracts/testing"
import { Devnet, Proxy, Wallets } from "@geoswap/devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import {
  type Address,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hash,
  type Hex,
  http,
  keccak256,
  publicActions,
  type PublicClient,
  stringToHex,
  walletActions
} from "viem"
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { digestOf } from "../../../../devnet/test/evm.js"
import type { ChainUnavailable, Impossible, Refused } from "../../../src/chains/ChainError.js"
import * as EvmChain from "../../../src/chains/evm/EvmChain.js"
import * as EvmKeys from "../../../src/chains/evm/EvmKeys.js"
import type * as Config from "../../../src/config/Config.js"
import type { CollectJob, Job, SendJob } from "../../../src/domain/Job.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"

export const native: Address = "0x0000000000000000000000000000000000000000"
const gwei = 1_000_000_000n

let counter = 0
/** 32 random bytes. */
export const fresh32 = (): Hash => keccak256(stringToHex(`${Date.now()} ${counter++}`))
/** An address without funds. */
export const freshAddress = (): Address => `0x${fresh32().slice(-40)}`

/** The base fee of the next block. Waits until anvil has added its newest block to the fee history. */
export const nextBaseFeeOf = (client: Pick<PublicClient, "getBlockNumber" | "getFeeHistory">) =>
  Effect.promise(async () => {
    for (;;) {
      const [newest, { baseFeePerGas, gasUsedRatio, oldestBlock }] = await Promise.all([
        client.getBlockNumber({ cacheTime: 0 }),
        client.getFeeHistory({ blockCount: 1, rewardPercentiles: [50] })
      ])
      if (oldestBlock + BigInt(gasUsedRatio.length) > newest) return baseFeePerGas.at(-1) ?? 0n
    }
  })

/** The configuration of a devnet's chain. */
export const configOf = ({ contracts, id, name, rpcUrl, tokens }: Devnet.EvmChain): Config.EvmChain => ({
  kind: "evm",
  id,
  name,
  rpcUrls: [rpcUrl],
  // The latest block is never taken from memory, so that tests see the blocks that they mine.
  pollMillis: 0,
  timeoutMillis: 20_000,
  maxConcurrent: 256,
  tokens,
  native: { symbol: "ETH" },
  vaults: [{ address: contracts.vault as Address, delegate: contracts.account as Address }],
  finality: [{ after: { blocks: 3 } }],
  stuckAfterMillis: 30_000,
  maxBatch: 10,
  maxFeePerGas: 500n * gwei,
  feeModel: "l1",
  exposure: {
    gasPerWallet: 10_000_000,
    gasPerVisitor: 5_000_000,
    gasPerAccount: 200_000_000,
    gasPerChain: 1_000_000_000
  },
  losses: { gasPerHour: 5_000_000, strikes: 3 },
  payments: {
    permit2: false,
    targets: [],
    strikesPerTarget: 30,
    inFlightPerTarget: 50
  },
  keys: { relayer: "KEY" }
})

interface CollectOptions {
  readonly token?: Address
  /** Signs the delegation at that nonce of the wallet. */
  readonly authorizeAt?: number
  readonly delegate?: Address
  /** Of the operation. */
  readonly nonce?: bigint
  readonly deadline?: number
  readonly orderId?: Hash
  /** Another vault than the first, and its account. */
  readonly contracts?: { readonly account: Address; readonly vault: Address }
}

const make = Effect.gen(function* () {
  const { evmA: node, evmB: otherNode } = yield* Devnet.Devnet
  // Tests count blocks.
  yield* node.hold
  const { account: delegate, vault } = node.contracts as { account: Address; vault: Address }
  const [usdc, weth] = node.tokens.map(({ address }) => address as Address)
  if (usdc === undefined || weth === undefined) return yield* Effect.die("The devnet has no tokens.")
  const key = yield* EvmKeys.fromPrivateKey(Redacted.make(Wallets.evmWallet("relayer").privateKey))
  const owner = Wallets.evmWallet("owner").address
  const client = createTestClient({ mode: "anvil", transport: http(node.rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  yield* Effect.promise(() => client.impersonateAccount({ address: owner }))

  const config = configOf(node)
  const chainWith = (changes: Partial<Config.EvmChain>) =>
    EvmChain.make({ config: { ...config, ...changes }, keys: [key] })
  const chain = yield* chainWith({})

  /** Sends a transaction of the vault's owner, in a separate block. */
  const byOwner = Effect.fnUntraced(function* (to: Address | undefined, data: Hex) {
    const nonce = yield* Effect.promise(() => client.getTransactionCount({ address: owner }))
    const fees = { maxFeePerGas: 10n * gwei, maxPriorityFeePerGas: gwei }
    const hash = yield* Effect.promise(() =>
      client.sendTransaction({ account: owner, chain: null, data, gas: 5_000_000n, ...fees, ...(to && { to }) })
    )
    yield* node.mine()
    const { status } = yield* Effect.promise(() => client.getTransactionReceipt({ hash }))
    if (status !== "success") return yield* Effect.die("The owner's transaction reverted.")
    return { hash, created: getContractAddress({ from: owner, nonce: BigInt(nonce) }) }
  })

  const mint = (token: Address, to: Address, amount: bigint) =>
    byOwner(token, encodeFunctionData({ abi: TestToken.abi, functionName: "mint", args: [to, amount] }))

  const collectJob = (
    wallet: PrivateKeyAccount,
    amount: bigint,
    options: CollectOptions = {}
  ): Effect.Effect<CollectJob> =>
    Effect.promise(async () => {
      const op = {
        token: options.token ?? usdc,
        amount,
        orderId: options.orderId ?? fresh32(),
        terms: fresh32(),
        nonce: options.nonce ?? 0n,
        deadline: BigInt(options.deadline ?? Math.floor(Date.now() / 1000) + 3_600)
      }
      const contracts = options.contracts ?? { account: delegate, vault }
      const digest = digestOf({ ...node, contracts }, wallet.address, op)
      const signature = await wallet.signMessage({ message: { raw: digest } })
      const signed =
        options.authorizeAt === undefined
          ? undefined
          : await wallet.signAuthorization({
              address: options.delegate ?? contracts.account,
              chainId: node.id,
              nonce: options.authorizeAt
            })
      return {
        kind: "collect",
        orderId: op.orderId,
        wallet: wallet.address,
        token: op.token,
        amount,
        terms: op.terms,
        operation: {
          _tag: "evm",
          delegate: contracts.account,
          nonce: String(op.nonce),
          deadline: Number(op.deadline),
          signature,
          vault: contracts.vault,
          method: "message",
          ...(signed !== undefined && {
            authorization: {
              chainId: node.id,
              address: signed.address,
              nonce: signed.nonce,
              yParity: signed.yParity === 1 ? 1 : 0,
              r: signed.r,
              s: signed.s
            }
          })
        }
      } satisfies CollectJob
    })

  /** The relayer's next nonce, final or not. */
  const nextNonce = Effect.promise(() => client.getTransactionCount({ address: key.address }))

  /** Prepares, signs at the relayer's next nonce and broadcasts. */
  const send = Effect.fnUntraced(function* (
    job: Job
  ): Effect.fn.Return<Attempt, ChainUnavailable | Impossible | Refused> {
    // An estimate of the price of gas is reused for a second.
    yield* TestClock.adjust("1 second")
    const attempt = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
    yield* chain.broadcast(attempt)
    return attempt
  })

  return {
    node,
    otherNode,
    nextBaseFee: nextBaseFeeOf(client),
    nextNonce,
    chain,
    chainWith,
    client,
    config,
    delegate,
    key,
    usdc,
    vault,
    weth,
    byOwner,
    collectJob,
    mint,
    pause: byOwner(vault, encodeFunctionData({ abi: GeoVault.abi, functionName: "pause" })),
    unpause: byOwner(vault, encodeFunctionData({ abi: GeoVault.abi, functionName: "unpause" })),
    setCap: (token: Address, cap: bigint) =>
      byOwner(vault, encodeFunctionData({ abi: GeoVault.abi, functionName: "setCap", args: [token, cap] })),
    setRefundCap: (token: Address, cap: bigint) =>
      byOwner(vault, encodeFunctionData({ abi: GeoVault.abi, functionName: "setRefundCap", args: [token, cap] })),
    withdraw: (token: Address, amount: bigint) =>
      byOwner(vault, encodeFunctionData({ abi: GeoVault.abi, functionName: "withdraw", args: [token, owner, amount] })),
    refundByOwner: ({ amount, orderId, to, token }: SendJob) =>
      byOwner(
        vault,
        encodeFunctionData({
          abi: GeoVault.abi,
          functionName: "refund",
          args: [orderId as Hash, token as Address, to as Address, amount]
        })
      ),
    setTokenPaused: (token: Address, paused: boolean) =>
      byOwner(token, encodeFunctionData({ abi: PausableToken.abi, functionName: "setPaused", args: [paused] })),
    /** Another version of the account, which the vault does not know yet. */
    deployAccount: Effect.map(
      byOwner(undefined, encodeDeployData({ abi: GeoAccount.abi, bytecode: GeoAccount.bytecode, args: [vault] })),
      ({ created }) => created
    ),
    /** Another vault with its account, which the relayer may use and which has this much USDC. */
    deployVault: Effect.fnUntraced(function* (inVault: bigint) {
      const code = encodeDeployData({ abi: GeoVault.abi, bytecode: GeoVault.bytecode, args: [owner] })
      const { created } = yield* byOwner(undefined, code)
      const abi = GeoVault.abi
      yield* byOwner(created, encodeFunctionData({ abi, functionName: "setRelayer", args: [key.address, true] }))
      yield* byOwner(created, encodeFunctionData({ abi, functionName: "setCap", args: [usdc, 2n ** 200n] }))
      if (inVault > 0n) yield* mint(usdc, created, inVault)
      const account = yield* Effect.promise(() =>
        client.readContract({ abi, address: created, functionName: "delegate" })
      )
      return { account: account.toLowerCase() as Address, vault: created.toLowerCase() as Address }
    }),
    addAccount: (account: Address) =>
      byOwner(vault, encodeFunctionData({ abi: GeoVault.abi, functionName: "setDelegate", args: [account, true] })),
    deployPausable: Effect.map(
      byOwner(undefined, encodeDeployData({ abi: PausableToken.abi, bytecode: PausableToken.bytecode })),
      ({ created }) => created
    ),
    /** A wallet without gas, with some USDC. */
    newWallet: Effect.fnUntraced(function* (amount: bigint) {
      const wallet = privateKeyToAccount(generatePrivateKey())
      if (amount > 0n) yield* mint(usdc, wallet.address, amount)
      return wallet
    }),
    sendJob: (kind: "deliver" | "refund", token: Address, to: Address, amount: bigint): SendJob => ({
      kind,
      orderId: fresh32(),
      token,
      to,
      amount,
      opensAccount: false
    }),
    send,
    /** Collects a token from a new wallet: the vault lets relayers refund what was collected lately. */
    collectInput: Effect.fnUntraced(function* (token: Address, amount: bigint) {
      const wallet = privateKeyToAccount(generatePrivateKey())
      yield* mint(token, wallet.address, amount)
      yield* send(yield* collectJob(wallet, amount, { token, authorizeAt: 0 }))
      yield* node.mine()
    }),
    /** The chain behind two proxies, the first of which is asked first. */
    doubled: Effect.fnUntraced(function* (changes: Partial<Config.EvmChain> = {}) {
      const [one, two] = [yield* Proxy.make({ target: node.rpcUrl }), yield* Proxy.make({ target: node.rpcUrl })]
      return { one, two, chain: yield* chainWith({ rpcUrls: [one.rpcUrl, two.rpcUrl], ...changes }) }
    }),
    /** The chain behind a proxy. */
    proxied: Effect.fnUntraced(function* (changes: Partial<Config.EvmChain> = {}) {
      const proxy = yield* Proxy.make({ target: node.rpcUrl })
      return { proxy, chain: yield* chainWith({ rpcUrls: [proxy.rpcUrl], ...changes }) }
    })
  }
})

export class EvmFixture extends Context.Service<EvmFixture, Effect.Success<typeof make>>()("test/EvmFixture") {}

export const layer = Layer.effect(EvmFixture, make).pipe(
  Layer.provide(Devnet.layer({ ports: "free", blockTime: 0, confirmations: 3 }))
)
