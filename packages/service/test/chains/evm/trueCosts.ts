/** Makes random swaps on a devnet that imitates a public chain, and compares quoted with real costs. */
import { Devnet, Wallets } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  http,
  numberToHex,
  publicActions,
  walletActions
} from "viem"
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { expect } from "vitest"
import { useRealTokens } from "../../../../../tooling/testing/evm/realTokens.js"
import { digestOf } from "../../../../devnet/test/evm.js"
import type { ChainUnavailable, Impossible, Refused } from "../../../src/chains/ChainError.js"
import * as EvmChain from "../../../src/chains/evm/EvmChain.js"
import * as EvmKeys from "../../../src/chains/evm/EvmKeys.js"
import type { Job } from "../../../src/domain/Job.js"
import type { EvmOperation } from "../../../src/domain/SwapRecord.js"
import * as OrderIds from "../../../src/operations/orderIds.js"
import { configOf, fresh32, freshAddress, native, nextBaseFeeOf } from "./fixture.js"

/** The public chains, and the models of their fees. */
export const models = { ethereum: "l1", base: "op-stack", arbitrum: "arbitrum", polygon: "polygon" } as const
export type Profile = keyof typeof models

/** What a transaction was quoted, what its relayer paid, and what the service recorded. */
interface Compared {
  readonly quoted: bigint
  readonly paid: bigint
  readonly recorded: bigint | undefined
}

interface Quoted {
  readonly quoted: bigint
  readonly perform: Effect.Effect<Omit<Compared, "quoted">, ChainUnavailable | Impossible | Refused>
}

interface Wallet {
  readonly account: PrivateKeyAccount
  readonly token: Address
  nonce: bigint
}

const gwei = 1_000_000_000n
/** The contract whose slot 8 has the operator's fee on the OP stack. */
const l1Block = "0x4200000000000000000000000000000000000015"
/** A pseudorandom number below a limit. The same seed gives the same numbers. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Starts a chain with the code of USDC and WETH9, and returns functions that quote, make and compare swaps. */
const start = Effect.fnUntraced(function* (profile: Profile, seed: number) {
  const { evmA: node } = yield* Devnet.make({ ports: "free", profile: { evmA: profile }, blockTime: 0 })
  const random = numbers(seed)
  const client = createTestClient({ mode: "anvil", transport: http(node.rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  const wait = <A>(run: () => Promise<A>) => Effect.promise(run)
  const [relayer, owner] = [Wallets.evmWallet("relayer"), Wallets.evmWallet("owner")]
  const alice = privateKeyToAccount(Wallets.evmWallet("alice").privateKey)
  const vault = node.contracts.vault as Address
  const holders = [alice.address, vault, Wallets.evmWallet("bob").address]
  yield* wait(() => client.setBalance({ address: alice.address, value: 10n ** 21n }))
  yield* wait(() => useRealTokens(node, { holders, owner: owner.address }))
  // Base charges no operator's fee at the moment. Other chains of the OP stack do.
  if (profile === "base") {
    const value = numberToHex((4_000_000_000n << 64n) | 50_000_000_000n, { size: 32 })
    yield* wait(() => client.setStorageAt({ address: l1Block, index: 8, value }))
  }
  // The first collection of a token in each of three hours opens a slot of the vault. No test takes an hour.
  yield* node.setTime((Math.floor(Date.now() / 3_600_000) + 1) * 3_600)
  const tokens = node.tokens.filter(({ symbol }) => symbol !== "GEO").map(({ address }) => address as Address)
  const key = yield* EvmKeys.fromPrivateKey(Redacted.make(relayer.privateKey))
  const config = {
    ...configOf(node),
    finality: [{ after: { blocks: 1 } }] as const,
    feeModel: models[profile],
    maxFeePerGas: 100_000n * gwei
  }
  const chain = yield* EvmChain.make({ config, keys: [key] })
  const ids = OrderIds.make()
  const wallets: Array<Wallet> = []
  const recipients = [freshAddress(), freshAddress()]

  const transfer = (token: Address, to: Address, amount: bigint) =>
    wait(async () => {
      await client.impersonateAccount({ address: alice.address })
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] })
      const tip = profile === "polygon" ? 30n * gwei : 0n
      const fees = { maxFeePerGas: 1_000n * gwei, maxPriorityFeePerGas: tip }
      const hash = await client.sendTransaction({
        account: alice.address,
        chain: null,
        to: token,
        data,
        gas: 200_000n,
        ...fees
      })
      const { status } = await client.getTransactionReceipt({ hash })
      if (status !== "success") throw new Error("A transfer failed.")
    })
  const balance = wait(() => client.getBalance({ address: relayer.address }))

  /** Sends a job's transaction, and returns what the relayer paid and what the service recorded. */
  const perform = Effect.fnUntraced(function* (job: Job) {
    const held = yield* balance
    const draft = yield* chain.prepare(job)
    const nonce = yield* wait(() => client.getTransactionCount({ address: relayer.address }))
    const attempt = yield* chain.sign(draft, nonce)
    yield* chain.broadcast(attempt)
    yield* wait(() => client.waitForTransactionReceipt({ hash: attempt.hash as Hash, pollingInterval: 5 }))
    const outcome = yield* chain.observe(job, [attempt])
    const [cost] = outcome._tag === "Done" ? (outcome.costs ?? []) : []
    return { paid: held - (yield* balance), recorded: cost?.cost }
  })

  const newWallet = Effect.fnUntraced(function* (token: Address) {
    const account = privateKeyToAccount(generatePrivateKey())
    yield* transfer(token, account.address, 1_000_000n)
    if (random(2) === 0) yield* wait(() => client.setBalance({ address: account.address, value: 1n }))
    const created: Wallet = { account, token, nonce: 0n }
    wallets.push(created)
    return created
  })

  /** Quotes a collection from a wallet (default: a random one). */
  const collection = Effect.fnUntraced(function* (given?: Wallet): Effect.fn.Return<Quoted, ChainUnavailable> {
    const wallet = given ?? wallets[random(wallets.length * 2)] ?? (yield* newWallet(tokens[random(2)] ?? native))
    const { account, token } = wallet
    const quoted = yield* chain.costOf({ kind: "collect", token, party: account.address, opensAccount: false })
    const common = { token, amount: 1n + BigInt(random(10_000)), orderId: fresh32(), terms: fresh32() }
    const op = { ...common, nonce: wallet.nonce++, deadline: 2_000_000_000n }
    const signature = yield* wait(() => account.signMessage({ message: { raw: digestOf(node, account.address, op) } }))
    const delegation = { address: chain.delegate as Address, chainId: node.id, nonce: 0 }
    const { r, s, yParity } = yield* wait(() => account.signAuthorization(delegation))
    const authorization = { ...delegation, r, s, yParity: yParity === 1 ? 1 : 0 } as const
    const operation: EvmOperation = {
      _tag: "evm",
      delegate: chain.delegate,
      nonce: String(op.nonce),
      deadline: Number(op.deadline),
      signature,
      vault,
      method: "message",
      ...(op.nonce === 0n && { authorization })
    }
    return { quoted, perform: perform({ ...common, kind: "collect", wallet: account.address, operation }) }
  })

  /** Quotes a delivery of a token (default: a random one) to a new recipient, or to one that was paid before. */
  const delivery = Effect.fnUntraced(function* (given?: Address): Effect.fn.Return<Quoted, ChainUnavailable> {
    const token = given ?? [...tokens, native][random(tokens.length + 1)] ?? native
    const to = recipients[random(4)] ?? freshAddress()
    const { charged: gas } = yield* chain.deliveryGas({ token, to, amount: 1n, orderId: ids.sample(1) })
    const quoted = yield* chain.costOf({ kind: "deliver", token, party: to, opensAccount: false, gas })
    const amount = 1n + BigInt(random(token === tokens[0] ? 10_000_000 : 2 ** 50))
    const job = { kind: "deliver", orderId: ids.next(1), token, to, amount, opensAccount: false } as const
    return { quoted, perform: perform(job) }
  })

  const anyDelivery = { kind: "deliver", token: native, opensAccount: false, gas: 100_000n } as const
  /** The service reads a fee history for each block with a quote. */
  const anyCost = chain.costOf(anyDelivery)

  const usualBaseFee = yield* nextBaseFeeOf(client)
  const setBaseFee = (percent: bigint) => node.setBaseFee((usualBaseFee * percent) / 100n)
  /** Mines blocks with these base fees. */
  const mineAt = Effect.fnUntraced(function* (percents: ReadonlyArray<bigint>) {
    for (const percent of percents) {
      yield* setBaseFee(percent)
      yield* node.mine()
      yield* anyCost
    }
  })

  // A token's first payments open slots of the vault, which later ones do not.
  for (const token of tokens) yield* (yield* collection(yield* newWallet(token))).perform
  for (const token of [...tokens, native]) yield* (yield* delivery(token)).perform
  for (let block = 0; block < 12; block++) {
    yield* node.mine()
    yield* anyCost
  }

  return {
    /** Quotes a collection and a delivery, and makes both, while the base fee rises to a percentage before each block. */
    swap: Effect.fnUntraced(function* (percent: bigint = 100n) {
      const made: Array<Compared> = []
      for (const quote of [collection(), delivery()]) {
        const { perform: run, quoted } = yield* quote
        yield* setBaseFee(percent)
        made.push({ quoted, ...(yield* run) })
        if (percent !== 100n) yield* mineAt([100n, 100n, 100n])
      }
      return made
    }),
    /** Makes swaps while the base fee doubles within ten blocks: some quoted before, and the others after. */
    swapWhileDoubling: Effect.fnUntraced(function* (before: number, after: number) {
      const quotes: Array<Quoted> = []
      for (let index = 0; index < before; index++) quotes.push(yield* collection(), yield* delivery())
      yield* mineAt([107n, 114n, 122n, 131n, 140n, 150n, 160n, 171n, 184n, 200n])
      const made: Array<Compared> = []
      const make = Effect.fnUntraced(function* ({ perform: run, quoted }: Quoted) {
        yield* setBaseFee(200n)
        made.push({ quoted, ...(yield* run) })
      })
      for (const quote of quotes) yield* make(quote)
      for (let index = 0; index < after; index++) {
        yield* make(yield* collection())
        yield* make(yield* delivery())
      }
      return made
    }),
    /** What the first quote after a start charges, and what a later one charges. */
    firstAndLater: Effect.gen(function* () {
      return [yield* (yield* EvmChain.make({ config, keys: [key] })).costOf(anyDelivery), yield* anyCost] as const
    })
  }
})

/** The largest part of a cost that a quote charges for a rise of fees, and for estimates, in hundredths of a percent. */
const mostCharged = 12_875n

/** Makes swaps on a public chain's profile, and compares what quotes charge with what relayers pay. */
export const expectTrueCosts = Effect.fnUntraced(function* (profile: Profile, swaps: number, seed: number) {
  const { firstAndLater, swap, swapWhileDoubling } = yield* start(profile, seed)
  const [first, later] = yield* firstAndLater
  expect(first).toBe(later)
  const times = (share: number) => Array.from({ length: Math.ceil(swaps * share) })

  const steady = (yield* Effect.forEach(times(0.5), () => swap())).flat()
  const charged = steady.map(({ paid, quoted }) => (quoted * 10_000n) / paid)
  for (const share of charged) expect(share).toBeGreaterThanOrEqual(12_500n)
  const median = charged.toSorted((a, b) => Number(a - b))[charged.length >> 1]
  expect(median).toBeLessThanOrEqual(mostCharged)

  const rising = (yield* Effect.forEach(times(0.2), () => swap(125n))).flat()
  for (const { paid, quoted } of rising) expect(quoted).toBeGreaterThanOrEqual(paid)

  const doubling = yield* swapWhileDoubling(times(0.05).length, times(0.25).length)
  const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((total, amount) => total + amount, 0n)
  const total = (made: ReadonlyArray<Compared>) =>
    [sum(made.map(({ quoted }) => quoted)), sum(made.map(({ paid }) => paid))] as const
  const [quoted, paid] = total(doubling)
  expect(quoted).toBeGreaterThanOrEqual(paid)

  for (const one of [...steady, ...rising, ...doubling]) expect(one.recorded).toBe(one.paid)
})
