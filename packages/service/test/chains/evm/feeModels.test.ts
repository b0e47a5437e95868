import { readFileSync } from "node:fs"
import { describe, it, layer } from "@effect/vitest"
import { Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Vaults from "../../../src/chains/evm/accounts/vaults.js"
import * as CollectGas from "../../../src/chains/evm/fees/collectGas.js"
import * as FeeModels from "../../../src/chains/evm/fees/feeModels.js"
import * as GasFees from "../../../src/chains/evm/fees/gasFees.js"
import * as Samples from "../../../src/chains/evm/fees/sampleTransactions.js"
import * as NodeQuorum from "../../../src/chains/evm/nodes/nodeQuorum.js"
import * as Node from "../../../src/chains/evm/nodes/rpcNodes.js"
import type * as Config from "../../../src/config/Config.js"
import { configOf, EvmFixture, fresh32, layer as fixtureLayer } from "./fixture.js"

const gwei = 1_000_000_000n

/** A chain of a profile behind a proxy, and functions that create its parts as after a start. */
const chainOf = Effect.fnUntraced(function* (
  profile: "base" | "arbitrum" | "polygon",
  feeModel: Config.EvmChain["feeModel"]
) {
  const { evmA } = yield* Devnet.make({ ports: "free", profile: { evmA: profile }, blockTime: 0 })
  const proxy = yield* Proxy.make({ target: evmA.rpcUrl })
  const config: Config.EvmChain = { ...configOf(evmA), rpcUrls: [proxy.rpcUrl], feeModel, pollMillis: 60_000 }
  const start = () => {
    const quorum = NodeQuorum.make(Node.make(config), config)
    return { quorum, model: FeeModels.make(config, quorum), market: GasFees.make(quorum, config) }
  }
  return { start, proxy, samples: Samples.make(config.id, Vaults.make(config).all[0]) }
})

/** The receipt and the attempt of a transaction. */
const included = (blockNumber: bigint) => ({
  hash: fresh32(),
  blockHash: fresh32(),
  blockNumber,
  logs: [],
  gasUsed: 70_000n
})

describe("the fee model", () => {
  it.live("of the OP stack asks the oracle once per kind and block", () =>
    Effect.gen(function* () {
      const { proxy, samples, start } = yield* chainOf("base", "op-stack")
      const { deliver, first, later } = samples
      const { model } = start()
      const [one = 0n, more = 0n, again] = yield* Effect.forEach([later, first, later, deliver], (sample) =>
        model.dataFee(sample, 69_001n)
      )
      expect(one).toBeGreaterThan(0n)
      expect(more).toBeGreaterThan(one)
      expect(again).toBe(one)
      // Similar gas shares the operator's fee. Each of three kinds has its own data.
      yield* model.dataFee(later, 69_999n)
      expect(yield* proxy.calls("eth_call")).toBe(4)
      expect(yield* model.dataGas(later)).toEqual({ gas: 0n, margin: 0n })
      // Before a fork, functions are missing.
      yield* proxy.set("eth_call", Proxy.rpcError(3, "execution reverted"))
      expect(yield* start().model.dataFee(later, 1n)).toBe(0n)
    }).pipe(Effect.scoped)
  )

  it.live("of the OP stack asks the oracle at the transaction's block for what the receipt lacks", () =>
    Effect.gen(function* () {
      const { proxy, samples, start } = yield* chainOf("base", "op-stack")
      const { model, quorum } = start()
      const [node] = quorum.nodes
      if (node === undefined) return yield* Effect.die("There is no node.")
      const raw = samples.later.unsigned
      const attempt = { raw, hash: fresh32(), signer: "0x00", nonce: 1, cancels: false, createdAt: 0 } as const
      const receipt = included(yield* node.height)
      const all = { ...receipt, dataFee: 7n, hasOperatorFee: false }
      expect(yield* model.spent(node, all, attempt)).toBe(7n)
      expect(yield* proxy.calls("eth_call")).toBe(0)
      expect(yield* model.spent(node, { ...receipt, dataFee: 7n }, attempt)).toBe(7n)
      expect(yield* proxy.calls("eth_call")).toBe(1)
      expect(yield* model.spent(node, receipt, attempt)).toBe(yield* model.dataFee(samples.later, 1n))
      // If the state of the block is gone, the receipt is all that is known.
      yield* proxy.set("eth_call", Proxy.rpcError(-32000, "missing trie node"))
      expect(yield* model.spent(node, { ...receipt, dataFee: 7n }, attempt)).toBe(7n)
    }).pipe(Effect.scoped)
  )

  it.live("of Arbitrum is gas, without the tenth that nodes add to it, and without a tip", () =>
    Effect.gen(function* () {
      const { samples, start } = yield* chainOf("arbitrum", "arbitrum")
      const { market, model } = start()
      const { gas, margin } = yield* model.dataGas(samples.later)
      expect(gas).toBeGreaterThan(20_000n)
      expect(yield* model.estimatedDataGas(samples.later.call)).toBe(gas + margin)
      expect(margin * 10n).toBeGreaterThanOrEqual(gas)
      expect(margin * 9n).toBeLessThan(gas)
      expect(yield* model.dataFee(samples.later, gas)).toBe(0n)
      expect((yield* market).tip).toBe(0n)
    }).pipe(Effect.scoped)
  )

  it.live("of Polygon has the tip that the nodes suggest, up to 100 gwei", () =>
    Effect.gen(function* () {
      const { proxy, start } = yield* chainOf("polygon", "polygon")
      const tip = Effect.suspend(() => Effect.map(start().market, (estimate) => estimate.tip))
      expect(yield* tip).toBe(30n * gwei)
      yield* proxy.set(
        "eth_maxPriorityFeePerGas",
        Proxy.change(() => "0xffffffffffff")
      )
      expect(yield* tip).toBe(100n * gwei)
      yield* proxy.set("eth_maxPriorityFeePerGas", Proxy.rpcError(-32601, "no such method"))
      expect(yield* tip).toBeLessThan(30n * gwei)
    }).pipe(Effect.scoped)
  )
})

describe("the gas of a collection", () => {
  it("is based on the gas snapshot of the contracts", () => {
    const path = new URL("../../../../contracts/test/gas.snapshot.json", import.meta.url)
    const snapshot = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, number>>
    const { forms, transfer } = CollectGas.measured
    const first = "collect, first, with the authorization"
    expect([forms.first, forms.firstOfFunded, forms.later, transfer].map(Number)).toEqual([
      snapshot[first],
      snapshot[`${first}, from a wallet with native tokens`],
      snapshot["collect, later"],
      snapshot["plain transfer by the wallet, which pays the gas"]
    ])
  })

  layer(fixtureLayer, { timeout: 120_000 })((test) => {
    const setting = Effect.gen(function* () {
      const fixture = yield* EvmFixture
      const { collectJob, config, newWallet, usdc } = fixture
      const proxy = yield* Proxy.make({ target: fixture.node.rpcUrl })
      const quorum = NodeQuorum.make(Node.make({ ...config, rpcUrls: [proxy.rpcUrl] }), config)
      const vaults = Vaults.make(config)
      const gas = yield* CollectGas.make({ feeModel: FeeModels.make(config, quorum), quorum, vaults })
      const job = yield* collectJob(yield* newWallet(0n), 1n, { nonce: 1n })
      return { gas, job, proxy, usdc, first: yield* collectJob(yield* newWallet(0n), 1n, { authorizeAt: 0 }) }
    })

    test.effect("follows final receipts, but not a single unusual one, nor too far", () =>
      Effect.gen(function* () {
        const { first, gas, job, usdc } = yield* setting
        const before = yield* gas.gasOf("later", usdc)
        const expectAbout = Effect.fnUntraced(function* (used: bigint) {
          const charged = yield* gas.gasOf("later", usdc)
          expect(charged).toBeGreaterThanOrEqual(used)
          expect(charged * 100n).toBeLessThanOrEqual(used * 102n)
        })
        yield* expectAbout(68_593n)
        for (const used of [85_693n, 68_593n, 68_593n]) gas.record(job, used)
        gas.record(first, 500_000n)
        expect(yield* gas.gasOf("later", usdc)).toBe(before)
        for (let count = 0; count < 9; count++) gas.record(job, 75_000n)
        yield* expectAbout(75_000n)
        expect(yield* gas.gasOf("first", usdc)).toBeGreaterThan(114_000n)
        for (let count = 0; count < 9; count++) gas.record(job, 500_000n)
        expect(yield* gas.gasOf("later", usdc)).toBeLessThan((before * 152n) / 100n)
      }).pipe(Effect.scoped)
    )

    test.effect("is measured once, and is that of USDC if it cannot be measured", () =>
      Effect.gen(function* () {
        const { gas, proxy, usdc } = yield* setting
        yield* Effect.all([gas.gasOf("later", usdc), gas.gasOf("first", usdc)], { concurrency: "unbounded" })
        expect(yield* proxy.calls("eth_estimateGas")).toBe(1)
        expect(yield* proxy.calls("eth_call")).toBe(1)
        yield* proxy.set("eth_estimateGas", Proxy.rpcError(3, "execution reverted"))
        yield* proxy.set("eth_call", Proxy.rpcError(-32601, "no such method"))
        const other = yield* gas.gasOf("later", "0x00000000000000000000000000000000000000ee")
        expect(other).toBeGreaterThan(81_012n)
        expect(other).toBeLessThan(90_000n)
      }).pipe(Effect.scoped)
    )
  })
})
