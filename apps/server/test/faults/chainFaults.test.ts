import { describe, layer } from "@effect/vitest"
import { PausableToken, TestToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import { type Address, encodeFunctionData, type PrivateKeyAccount, zeroAddress } from "viem"
import { expect } from "vitest"
import * as database from "../stack/database.js"
import * as evm from "../stack/evm.js"
import {
  eachChain,
  looked,
  make,
  play,
  type Setup,
  type Started,
  timeout,
  until,
  withToken,
  startSwap
} from "../stack/fixture.js"
import { expectEnd, expectNothingLeft, proofsOf } from "../stack/outcome.js"
import { expectSettled, prepareSwap, startPrepared } from "../stack/preparedSwap.js"
import { ownDevnetLayer, type File } from "../stack/stack.js"

const usdc = 1_000_000n

/** Deep enough that a block can be reorganized before it is final. */
const deep = 8

/** How many blocks until finality, and how long until a transaction is treated as stuck. */
const slow = (blocks: number, stuckAfterMillis = 600_000) =>
  eachChain((chain) =>
    chain.kind === "evm" ? { ...chain, finality: [{ after: { blocks } }], stuckAfterMillis } : chain
  )

const proofOf = ({ devnet, running }: Setup, { swapId }: Started, what: "collected" | "delivered") =>
  until(async () => (await proofsOf(devnet, database.orderOf(running.database, swapId)))[what][0])

const halves = {
  collected: { chain: "evmA", kind: "collect", field: "originTxHash", state: "origin_sent" },
  delivered: { chain: "evmB", kind: "deliver", field: "deliveryTxHash", state: "delivery_sent" }
} as const

/**
 * On a held chain: includes a transaction in a block that is not final, then reorganizes that block.
 */
const undo = async (setup: Setup, started: Started, what: keyof typeof halves) => {
  const { devnet, nodes, running } = setup
  const { swapId } = started
  const { chain: place, field, kind, state } = halves[what]
  const chain = devnet[place]
  const hash = await until(() => database.attemptsOf(running.database, swapId, kind)[0]?.hash)
  const relayer = evm.operator(devnet, "relayer").address
  await until(async () => (await evm.poolOf(chain, relayer)).some((pooled) => pooled.hash === hash))
  await make(chain.mine())
  expect(await proofOf(setup, started, what)).toBe(hash)
  await until(() => database.hashesOf(running.database, swapId)[field] === hash)
  // A block that can be reorganized is never final, however often the service polls.
  await looked(nodes[place], "eth_getBlockByNumber")
  expect(database.stateOf(running.database, swapId)).toBe(state)
  await make(chain.reorg(1))
  expect((await proofsOf(devnet, database.orderOf(running.database, swapId)))[what]).toEqual([])
}

/** Waits for the relayer's transaction in the pool of a held chain. */
const pooled = (devnet: Devnet.Devnet, chain: Devnet.EvmChain) =>
  until(async () => (await evm.poolOf(chain, evm.operator(devnet, "relayer").address))[0])

/** On a held chain: uses the nonce of the relayer's transaction, and the next one, for other transactions. */
const takeNonces = async (devnet: Devnet.Devnet, chain: Devnet.EvmChain) => {
  const relayer = evm.sender(chain, evm.operator(devnet, "relayer"))
  const { nonce } = await pooled(devnet, chain)
  const other = { to: evm.newAddress(), value: 1n, gas: 50_000n, ...evm.firstInBlock }
  await relayer.sendTransaction({ ...other, nonce: nonce + 1 })
  await relayer.sendTransaction({ ...other, nonce })
  await make(chain.mine(3))
  expect(await evm.balanceOf(chain, zeroAddress, other.to)).toBe(2n)
}

describe("swaps on faulty chains", () => {
  layer(ownDevnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "settles although the blocks of its collect and its delivery are reorganized",
      () =>
        play(prepareSwap(slow(deep)), async (setup, props) => {
          const { evmA, evmB } = setup.devnet
          await make(evmA.hold)
          await make(evmB.hold)
          const started = await startPrepared(setup, props)
          for (const [chain, what] of [
            [evmA, "collected"],
            [evmB, "delivered"]
          ] as const) {
            await undo(setup, started, what)
            await make(chain.release)
            await proofOf(setup, started, what)
            await make(chain.mine(deep))
          }
          await expectSettled(setup, started, props)
        }),
      timeout
    )

    it.effect(
      "omits a reorganized transaction that cannot be included again",
      () =>
        play(
          async (devnet) => {
            const { evmA, evmB } = devnet
            const output = await evm.deployPausable(devnet, evmB, 1_000n * usdc)
            const { props } = await prepareSwap(slow(deep))(devnet)
            const other = await evm.newDelegated(devnet, evmA, { USDC: 10n * usdc })
            await evm.fund(devnet, evmA, other.address)
            const listed = withToken(evmB.id, { symbol: "PSE", address: output, decimals: 6, asset: "USDC" })
            return { change: (file: File) => listed(slow(deep)(file)), props: { ...props, other, output } }
          },
          async (setup, { ledger, other, output, recipient, wallet }) => {
            const { devnet, running } = setup
            const { evmA, evmB } = devnet
            const startWith = async (account: PrivateKeyAccount) =>
              startSwap({ devnet, running }, account, { recipient, outputToken: output })
            await make(evmB.hold)
            const stopped = await startWith(wallet)
            await proofOf(setup, stopped, "collected")
            await make(evmA.mine(deep))
            await undo(setup, stopped, "delivered")
            await evm.firstAsOwner(devnet, evmB, {
              address: output,
              abi: PausableToken.abi,
              functionName: "setPaused",
              args: [true]
            })
            await make(evmB.release)

            await make(evmA.hold)
            const emptied = await startWith(other)
            await undo(setup, emptied, "collected")
            await evm.sender(evmA, other).sendTransaction({
              to: evm.tokenOf(evmA, "USDC") as Address,
              data: encodeFunctionData({ abi: TestToken.abi, functionName: "transfer", args: [recipient, 1n] }),
              gas: 200_000n,
              ...evm.firstInBlock
            })
            await make(evmA.release)
            await expectEnd(setup, emptied, "failed", "INSUFFICIENT_BALANCE")
            await expectEnd(setup, stopped, "refunded", "REVERTED")
            expect(await ledger()).toEqual({})
            await expectNothingLeft(setup)
          }
        ),
      timeout
    )

    it.effect(
      "signs later if a collect loses its nonce again, so that others are not blocked",
      () =>
        play(prepareSwap(slow(2)), async (setup, props) => {
          const { devnet, running } = setup
          const { evmA } = devnet
          await make(evmA.hold)
          const started = await startPrepared(setup, props)
          await takeNonces(devnet, evmA)
          await takeNonces(devnet, evmA)
          await make(evmA.release)
          await expectSettled(setup, started, props)
          const [, second, third, ...more] = database.attemptsOf(running.database, started.swapId, "collect")
          expect(more).toEqual([])
          expect((third?.createdAt ?? 0) - (second?.createdAt ?? 0)).toBeGreaterThanOrEqual(5_000)
        }),
      timeout
    )
  })
})
