import { describe, layer } from "@effect/vitest"
import { type Devnet, Proxy } from "@geoswap/devnet"
import { parseTransaction, type TransactionSerializedEIP1559 } from "viem"
import { expect } from "vitest"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import {
  type Change,
  eachChain,
  elapse,
  make,
  play,
  separately,
  type Setup,
  startSwap,
  type Started,
  timeout,
  until
} from "../../stack/fixture.js"
import { expectEnd } from "../../stack/outcome.js"
import { newRelayer } from "../../stack/relayers.js"
import { devnetLayer, environmentFor } from "../../stack/stack.js"

const usdc = 1_000_000n

/** A server whose relayers only it uses, and three wallets. Each swap has separate transactions. */
const cast = (relayers: 1 | 2) => async (devnet: Devnet.Devnet) => {
  const [first, second] = [await newRelayer(devnet), await newRelayer(devnet)]
  const environment = {
    ...(await make(environmentFor(devnet))),
    FIRST_RELAYER_KEY: first.privateKey as string,
    SECOND_RELAYER_KEY: second.privateKey as string
  }
  const wallets = []
  for (let index = 0; index < 3; index++) {
    wallets.push(await evm.newDelegated(devnet, devnet.evmA, { USDC: 10n * usdc }))
  }
  const names = ["FIRST_RELAYER_KEY", ...(relayers === 2 ? ["SECOND_RELAYER_KEY"] : [])] as const
  const change: Change = (file) =>
    eachChain((chain) => (chain.kind === "evm" ? { ...chain, keys: { relayers: names } } : chain))(separately(file))
  return { change, given: { environment }, props: { first: first.address, second: second.address, wallets } }
}

type Props = Awaited<ReturnType<ReturnType<typeof cast>>>["props"]

const startAll = async (setup: Setup, wallets: Props["wallets"]) => {
  const started: Array<Started> = []
  for (const wallet of wallets) started.push(await startSwap(setup, wallet))
  return started
}

/** The most that a transaction can cost, according to its bytes. */
const mostOf = (raw: string): bigint => {
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw as TransactionSerializedEIP1559)
  return gas * maxFeePerGas
}

/** A multiple of a cost, in tenths: the costs of collections differ slightly, by the zeros in their data. */
const tenths = (count: bigint, cost: bigint): bigint => (count * cost) / 10n

/** The most that the collections of a relayer in the node's pool can cost. */
const pendingOf = async ({ devnet, running }: Setup, relayer: string, started: ReadonlyArray<Started>) => {
  const pool = new Set((await evm.poolOf(devnet.evmA, relayer)).map(({ hash }) => hash.toLowerCase()))
  const attempts = started.flatMap(({ swapId }) => database.attemptsOf(running.database, swapId, "collect"))
  const pending = attempts.filter(({ hash }) => pool.has(hash.toLowerCase()))
  expect(pending).toHaveLength(pool.size)
  return { count: pool.size, cost: pending.reduce((sum, { raw }) => sum + mostOf(raw), 0n) }
}

/** How long the service uses a balance if no block arrives: 15 polls. */
const balanceMillis = 1_500

/**
 * Lets the first relayer send one collection on a chain that makes no blocks, and accepts two more swaps while nothing can
 * be prepared. Then both are prepared at once, when the relayers have what `balances` returns for the cost of one.
 */
const prepareTogether = async (
  setup: Setup,
  { first, second, wallets }: Props,
  balances: (cost: bigint) => readonly [first: bigint, second: bigint]
) => {
  const { devnet, nodes, running } = setup
  const { evmA } = devnet
  await make(evmA.hold)
  const [one] = await startAll(setup, wallets.slice(0, 1))
  if (one === undefined) throw new Error("There is no swap.")
  await until(async () => (await evm.poolOf(evmA, first)).length === 1)
  const [collect] = database.attemptsOf(running.database, one.swapId, "collect")
  const cost = mostOf(collect?.raw ?? "0x")

  await make(nodes.evmA.set("eth_estimateGas", Proxy.httpStatus(503)))
  const others = await startAll(setup, wallets.slice(1))
  const [ofFirst, ofSecond] = balances(cost)
  await evm.setBalance(evmA, first, ofFirst)
  await evm.setBalance(evmA, second, ofSecond)
  await elapse(balanceMillis + 100)
  await make(nodes.evmA.clear("eth_estimateGas"))
  return { cost, started: [one, ...others] }
}

const settled = async (setup: Setup, started: ReadonlyArray<Started>) => {
  await make(setup.devnet.evmA.release)
  for (const one of started) await expectEnd(setup, one, "settled")
}

describe("a relayer", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "sends no transaction that it cannot pay for with its pending ones, until it is topped up",
      () =>
        play(cast(1), async (setup, props) => {
          const { devnet, nodes, running } = setup
          const { cost, started } = await prepareTogether(setup, props, (cost) => [tenths(29n, cost), 0n])
          const pending = () => pendingOf(setup, props.first, started)
          await until(async () => (await pending()).count >= 2)
          // The third one is prepared again and again.
          const before = await make(nodes.evmA.calls("eth_estimateGas"))
          const tried = async () => (await make(nodes.evmA.calls("eth_estimateGas"))) >= before + 4
          await until(async () => (await pending()).count > 2 || (await tried()))
          const two = await pending()
          expect(two.count).toBe(2)
          expect(two.cost).toBeLessThanOrEqual(tenths(29n, cost))
          const states = started.map(({ swapId }) => database.stateOf(running.database, swapId))
          expect(states.toSorted()).toEqual(["accepted", "origin_sent", "origin_sent"])

          await evm.setBalance(devnet.evmA, props.first, tenths(31n, cost))
          await until(async () => (await pending()).count === 3)
          await settled(setup, started)
        }),
      timeout
    )

    it.effect(
      "leaves what it cannot pay for to another relayer",
      () =>
        play(cast(2), async (setup, props) => {
          const { cost, started } = await prepareTogether(setup, props, (cost) => [
            tenths(19n, cost),
            tenths(21n, cost)
          ])
          const pending = () =>
            Promise.all([props.first, props.second].map((relayer) => pendingOf(setup, relayer, started)))
          await until(async () => (await pending()).reduce((sum, { count }) => sum + count, 0) === 3)
          const [ofFirst, ofSecond] = await pending()
          expect([ofFirst?.count, ofSecond?.count]).toEqual([1, 2])
          expect(ofFirst?.cost).toBe(cost)
          expect(ofSecond?.cost).toBeLessThanOrEqual(tenths(21n, cost))
          await settled(setup, started)
        }),
      timeout
    )
  })
})
