import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Rows from "../../src/store/sql/rows.js"
import * as SwapRows from "../../src/store/swaps/swapRows.js"
import { attempt, order } from "../../src/testing/storeContract/fixture.js"
import { encodeSwap, Swap } from "./swapCodec.js"

// `storeContract` and `sqlStoreContract.ts` test the behavior of the store. The tests of each engine run them.
const swap = {
  ...order(1),
  state: "accepted",
  version: 3,
  updatedAt: 1_767_225_600_001,
  reserved: true,
  originTxHash: "0xa"
} as const

const authorization = {
  chainId: 31_337,
  address: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56",
  nonce: 4,
  yParity: 1,
  r: `0x${"1".repeat(64)}`,
  s: `0x${"2".repeat(64)}`
} as const
const [evm] = [swap.operation].filter((operation) => operation._tag === "evm")
if (evm === undefined) throw new Error("The order is of an EVM wallet.")
const authorized = { ...swap, operation: { ...evm, authorization } }
const fromSolana = { ...swap, operation: { _tag: "solana", transaction: "AQ==", lastValidBlockHeight: "12" } } as const
const over = {
  ...swap,
  state: "refunded",
  originBlock: 21_000_000n,
  revertedTxHash: "0xd",
  deliveryTxHash: "0xb",
  refundTxHash: "0xc",
  failureCode: "SLIPPAGE",
  reserved: false,
  refundAmount: 9n,
  collectedAt: 1_767_225_600_002,
  paidAmount: 2n ** 256n - 1n,
  quotedAt: 1_767_225_600_000,
  trace: "00-1-2-01",
  feeBps: 12.5,
  opensAccount: true
} as const

/** A row as another driver would return it. */
const given = (row: object, by: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, by(value)]))
const drivers: ReadonlyArray<readonly [string, (value: unknown) => unknown]> = [
  ["numbers", (value) => value],
  ["bigints", (value) => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value)],
  ["text", (value) => (typeof value === "number" ? String(value) : value)]
]

describe("a row", () => {
  it.effect.each(drivers)("is the same from a driver that returns numbers as %s", ([, by]) =>
    Effect.gen(function* () {
      for (const one of [swap, authorized, fromSolana, over]) {
        const row = Effect.succeed([given(yield* encodeSwap(one), by)])
        expect(yield* Rows.all(Swap)(row)).toStrictEqual([one])
        expect(yield* SwapRows.swaps(row)).toStrictEqual([one])
      }
      const attempts = [attempt(1), attempt(2, { cancels: true })]
      const rows = yield* Effect.forEach(attempts, (one) =>
        Effect.map(Rows.encodeAttempt(one), (row) => given(row, by))
      )
      expect(yield* Rows.all(Rows.Attempt)(Effect.succeed(rows))).toStrictEqual(attempts)
    })
  )

  it.effect.each(["1.5", "", "one", 1.5, 2n ** 60n, null])("is a defect if its version is %s", (version) =>
    Effect.gen(function* () {
      const row = { ...(yield* encodeSwap(swap)), version }
      expect(Exit.hasDies(yield* Effect.exit(Rows.all(Swap)(Effect.succeed([row]))))).toBe(true)
    })
  )

  it.effect("is a defect if any column is invalid", () =>
    Effect.gen(function* () {
      const row = yield* encodeSwap(over)
      for (const column of Object.keys(row)) {
        for (const value of [undefined, {}, true]) {
          const exit = yield* Effect.exit(SwapRows.swaps(Effect.succeed([{ ...row, [column]: value }])))
          expect([column, Exit.hasDies(exit)]).toEqual([column, true])
        }
      }
      const operations = [
        {},
        null,
        { _tag: "evm" },
        { ...over.operation, nonce: 1 },
        { ...over.operation, deadline: 1.5 }
      ]
      for (const operation of operations) {
        const strange = { ...row, operation: JSON.stringify(operation) }
        expect(Exit.hasDies(yield* Effect.exit(SwapRows.swaps(Effect.succeed([strange]))))).toBe(true)
      }
      for (const amount of ["", "1.5", "0x1", " 1", "one"]) {
        const exit = yield* Effect.exit(SwapRows.swaps(Effect.succeed([{ ...row, amount }])))
        expect([amount, Exit.hasDies(exit)]).toEqual([amount, true])
      }
    })
  )

  it.effect("of a new swap is encoded as its codec encodes it", () =>
    Effect.gen(function* () {
      const others = {
        visitor: "a visitor",
        quotedAt: 1_767_225_600_000,
        trace: "00-1-2-01",
        feeBps: 12.5,
        opensAccount: true
      }
      const given = [
        order(1),
        order(2, { operation: authorized.operation, amount: 2n ** 256n - 1n }),
        order(3, { operation: fromSolana.operation }),
        order(4, { operation: { ...evm, vault: "0xe" }, ...others })
      ]
      for (const accepted of given) {
        const isNew = { ...accepted, state: "accepted", version: 0, updatedAt: 5, reserved: true } as const
        const { operation_nonce, wallet_key, ...row } = SwapRows.newRow(accepted)
        const nonce = accepted.operation._tag === "evm" ? accepted.operation.nonce : null
        expect([operation_nonce, wallet_key]).toEqual([nonce, accepted.wallet.toLowerCase()])
        expect(yield* encodeSwap(isNew)).toMatchObject(row)
        expect(SwapRows.inserted(accepted, 5)).toStrictEqual(isNew)
        expect(Object.keys(SwapRows.newColumns).toSorted()).toEqual(
          [...Object.keys(row), "operation_nonce", "wallet_key", "updated_at"].toSorted()
        )
      }
      expect(() => SwapRows.newRow({ ...swap, createdAt: 0.5 })).toThrow("invalid")
      expect(() => SwapRows.newRow({ ...swap, feeBps: Number.NaN })).toThrow("invalid")
    })
  )

  it.effect("of a change is encoded as its codec encodes it", () =>
    Effect.gen(function* () {
      for (const changed of [swap, over]) {
        expect(yield* encodeSwap(changed)).toMatchObject(given(SwapRows.changedColumns(changed), (value) => value))
      }
    })
  )

  it("has every column of a swap, and NULL for missing values", () => {
    const row = Schema.encodeSync(Swap)(swap)
    expect(Object.keys(row)).toHaveLength(35)
    expect(row).toMatchObject({ origin_tx_hash: "0xa", origin_block: null, delivery_tx_hash: null, failure_code: null })
  })
})
