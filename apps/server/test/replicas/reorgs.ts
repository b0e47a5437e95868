/**
 * Two servers on one PostgreSQL, with two relayers and three nodes for each chain. Their swaps share transactions, while
 * wallets move their balance, blocks are replaced, servers are killed, and nodes lag or hide receipts.
 */
import { describe, expect, it } from "@effect/vitest"
import { TestToken } from "@geoswap/contracts/testing"
import { createClient } from "@geoswap/core/promise"
import { Devnet, Proxy } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { fetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import { type Address, type PrivateKeyAccount, zeroAddress } from "viem"
import { seed, type SeededRandom, seededRandom } from "../../../../tooling/testing/seededRandom.js"
import { networkOf } from "../stack/client.js"
import * as evm from "../stack/evm.js"
import { eachChain, elapse, make, until, usdcToWeth } from "../stack/fixture.js"
import { proofsOf } from "../stack/outcome.js"
import { databaseAt, programs, stoppableCluster } from "../stack/postgres/cluster.js"
import { newRelayer } from "../stack/relayers.js"
import { environmentFor, fileFor, makeApiKeys, temporary } from "../stack/stack.js"
import { kill } from "./faults.js"
import { balanced } from "./fixture.js"
import { makeReplica, type Replica } from "./replica.js"

const confirmations = 4
const pace = { ports: "free", blockTime: 250, idleBlockTime: 2_000, slotTime: 800, finalitySlots: 2 } as const
const usdc = 1_000_000n
const amount = 10n * usdc
/**
 * The swaps of a round, how many of their wallets move their balance, and how many of their recipients reject the output,
 * but only in a block.
 */
const count = 8
const movers = 2
const rejecters = 1

/** The chains, the database, and the servers, until the scope closes. */
const fixture = Effect.gen(function* () {
  const [devnet, postgres] = yield* Effect.all([Devnet.make({ ...pace, confirmations }), stoppableCluster], {
    concurrency: "unbounded"
  })
  const database = yield* Effect.promise(postgres.newDatabase)
  const relayers = yield* Effect.promise(async () => [await newRelayer(devnet), await newRelayer(devnet)] as const)
  const folder = yield* temporary
  const apiKeys = yield* makeApiKeys(databaseAt(database))
  const environment = {
    ...(yield* environmentFor(devnet)),
    FIRST_RELAYER_KEY: relayers[0].privateKey as string,
    SECOND_RELAYER_KEY: relayers[1].privateKey as string
  }
  const keys = { relayers: ["FIRST_RELAYER_KEY", "SECOND_RELAYER_KEY"] } as const
  const calm = { pollMillis: 250, timeoutMillis: 20_000 }
  const file = eachChain((chain) =>
    chain.kind === "evm"
      ? { ...chain, ...calm, finality: [{ after: { blocks: confirmations } }], keys, stuckAfterMillis: 600_000 }
      : { ...chain, ...calm }
  )(fileFor(devnet))
  const given = { devnet, file, folder, environment, database, databasePort: postgres.port, nodesPerChain: 3 }
  // One after the other: loading the code takes all of a small machine.
  const started = (name: string) =>
    Effect.tap(makeReplica({ ...given, name }), ({ host }) => Effect.promise(host.start))
  const replicas = [yield* started("first"), yield* started("second")] as const
  const network = yield* Effect.promise(() => networkOf(devnet))
  const rows = (sql: string) => postgres.query(database, sql)
  const rejecting = new Map<number, Address>()
  for (const chain of [devnet.evmA, devnet.evmB]) {
    rejecting.set(chain.id, yield* Effect.promise(() => evm.deployPretender(devnet, chain)))
  }
  return { apiKey: apiKeys[0], network, devnet, rejecting, relayers, replicas, rows }
})

type Shape = Effect.Success<typeof fixture>

/** Submits a swap, and returns its id. What the client reports later does not matter here. */
const submit = async (
  { apiKey, network, replicas }: Shape,
  account: PrivateKeyAccount,
  request: ReturnType<typeof usdcToWeth>
): Promise<string> => {
  const client = createClient({
    transport: fetchTransport({ baseUrl: "http://127.0.0.1", apiKey, fetch: balanced(replicas) }),
    signers: { evm: EvmSigner.fromAccount(account) },
    network,
    policy: { maxSlippageBps: 10_000 }
  })
  for await (const event of client.executeStream(request)) if (event.type === "submitted") return event.swap.swapId
  throw new Error("The swap was not submitted.")
}

/** Sends the wallet's tokens elsewhere, before every pending transaction. */
const moveBalance = (chain: Devnet.EvmChain, account: PrivateKeyAccount) =>
  evm.sender(chain, account).writeContract({
    abi: TestToken.abi,
    address: evm.tokenOf(chain, "USDC") as Address,
    functionName: "transfer",
    args: [evm.newAddress(), amount],
    ...evm.firstInBlock,
    gas: 100_000n
  })

/** Replaces the latest blocks of a chain, none of which is final. */
const reorg = (chain: Devnet.EvmChain, depth: number) => () => make(chain.reorg(depth))

/** A node shows old blocks, or no receipts, for a while. */
const mislead =
  ({ nodes }: Replica, random: SeededRandom) =>
  async () => {
    const node = random.pick(nodes)
    const [method, fault] = random.pick([
      ["eth_blockNumber", Proxy.change((number) => `0x${(BigInt(number as string) - 2n).toString(16)}`)],
      ["eth_getTransactionReceipt", Proxy.receiptMissing]
    ] as const)
    await make(node.set(method, fault))
    await elapse(1_500)
    await make(node.clear(method))
  }

/** What the chains show of an order that ended in a state. */
const proofs = {
  failed: [0, 0, 0],
  settled: [1, 1, 0],
  refunded: [1, 0, 1]
} as const

type End = keyof typeof proofs

const isEnd = (state: string): state is End => Object.hasOwn(proofs, state)

/** Each relayer's stored nonces are those that the chain has used, and nothing is pending. */
const expectNothingPending = async ({ devnet, relayers, rows }: Shape): Promise<void> => {
  for (const chain of [devnet.evmA, devnet.evmB]) {
    for (const { address } of relayers) {
      const [stored] = await rows(
        `SELECT next_nonce FROM relayers WHERE chain_id = ${chain.id} AND address = '${address.toLowerCase()}'`
      )
      const used = await evm.reader(chain).getTransactionCount({ address, blockTag: "latest" })
      expect(Number(stored?.["next_nonce"] ?? 0)).toBe(used)
      expect(await evm.poolOf(chain, address)).toEqual([])
    }
  }
}

/** One round. Prints how its swaps ended. */
const round = async (all: Shape, random: SeededRandom, number: number): Promise<void> => {
  const { devnet, replicas, rows } = all
  const { evmA, evmB } = devnet
  const [from, to] = random.below(2) === 0 ? [evmA, evmB] : [evmB, evmA]
  const wallets: Array<PrivateKeyAccount> = []
  for (let index = 0; index < count; index++) wallets.push(await evm.newDelegated(devnet, from, { USDC: amount }))
  for (const { address } of wallets.slice(0, movers)) await evm.fund(devnet, from, address)

  await make(from.hold)
  const ids = await Promise.all(
    wallets.map((account, index) => {
      const rejecting = index < count - rejecters ? undefined : all.rejecting.get(to.id)
      return submit(all, account, {
        ...usdcToWeth(devnet, account.address, rejecting ?? account.address),
        originChain: from.id,
        destinationChain: to.id,
        inputToken: evm.tokenOf(from, "USDC"),
        outputToken: rejecting === undefined ? evm.tokenOf(to, "WETH") : zeroAddress
      })
    })
  )
  const list = ids.map((id) => `'${id}'`).join(", ")
  const states = () => rows(`SELECT id, order_id, state FROM swaps WHERE id IN (${list})`)
  await until(async () => (await states()).every(({ state }) => state === "origin_sent"))
  await Promise.all(wallets.slice(0, movers).map((account) => moveBalance(from, account)))
  await make(from.release)

  const [first, second] = replicas
  const faults = random.shuffle([
    reorg(from, 1 + random.below(confirmations - 1)),
    reorg(from, 1 + random.below(confirmations - 1)),
    reorg(to, 1 + random.below(confirmations - 1)),
    () => kill(first),
    () => kill(second),
    mislead(first, random),
    mislead(second, random)
  ])
  for (const fault of faults) {
    await elapse(random.below(1_000))
    await fault()
  }
  const ended = await until(async () => {
    const found = await states()
    return found.every(({ state }) => isEnd(String(state))) && found
  })
  for (const { order_id, state } of ended) {
    const { collected, delivered, refunded } = await proofsOf(devnet, String(order_id))
    const seen = [collected.length, delivered.length, refunded.length]
    expect([order_id, state, seen]).toEqual([order_id, state, proofs[String(state) as End]])
  }
  expect(await rows("SELECT swap_id FROM claims")).toEqual([])
  expect(await rows("SELECT id FROM swaps WHERE lease_owner IS NOT NULL")).toEqual([])
  expect(await rows("SELECT swap_id FROM batch_items")).not.toEqual([])
  await expectNothingPending(all)
  const ends = ended.map(({ state }) => String(state)).toSorted()
  process.stdout.write(`Round ${number}: ${ends.join(" ")}\n`)
}

export const reorgs = (rounds: number): void => {
  describe.skipIf(programs === undefined)("swaps that share transactions", () => {
    it.effect(
      "move money in one of three ways, and once for each order, although blocks are replaced and servers are killed",
      () =>
        Effect.gen(function* () {
          const all = yield* fixture
          process.stdout.write(`${rounds} rounds with FUZZ_SEED=${seed}\n`)
          for (let number = 0; number < rounds; number++) {
            yield* Effect.promise(() => round(all, seededRandom(seed, number), number))
          }
        }).pipe(Effect.scoped),
      (rounds + 1) * 120_000
    )
  })
}
