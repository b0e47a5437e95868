import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SwapRecord } from "../../src/domain/SwapRecord.js"
import * as Rows from "../../src/store/sql/rows.js"
import * as SwapRows from "../../src/store/swaps/swapRows.js"
import { attempt, order } from "../../src/testing/storeContract/fixture.js"

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

/** The row of a swap as the store writes it. */
const rowOf = (one: SwapRecord): Rows.Row => ({
  ...SwapRows.newRow(one),
  ...SwapRows.changedColumns(one),
  version: one.version,
  reserved: one.reserved ? 1 : 0
})
const readSwaps = (...rows: ReadonlyArray<object>) => SwapRows.swaps(Effect.succeed(rows))

describe("a row", () => {
  it.effect.each(drivers)("is the same from a driver that returns numbers as %s", ([, by]) =>
    Effect.gen(function* () {
      for (const one of [swap, authorized, fromSolana, over]) {
        expect(yield* readSwaps(given(rowOf(one), by))).toStrictEqual([one])
      }
      const attempts = [attempt(1), attempt(2, { cancels: true })]
      const rows = attempts.map((one) => given(Rows.attempts.encode(one), by))
      expect(yield* Rows.attempts.read(Effect.succeed(rows))).toStrictEqual(attempts)
    })
  )

  it.effect.each(["1.5", "", "one", 1.5, 2n ** 60n, null])("is a defect if its version is %s", (version) =>
    Effect.gen(function* () {
      expect(Exit.hasDies(yield* Effect.exit(readSwaps({ ...rowOf(swap), version })))).toBe(true)
    })
  )

  it.effect("is a defect if any column is invalid", () =>
    Effect.gen(function* () {
      const row = rowOf(over)
      const read = ["operation_nonce", "wallet_key"]
      for (const column of Object.keys(row).filter((one) => !read.includes(one))) {
        for (const value of [undefined, {}, true]) {
          const exit = yield* Effect.exit(readSwaps({ ...row, [column]: value }))
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
        const exit = yield* Effect.exit(readSwaps({ ...row, operation: JSON.stringify(operation) }))
        expect(Exit.hasDies(exit)).toBe(true)
        expect(String(Exit.isFailure(exit) && exit.cause)).not.toContain("0x")
      }
      for (const amount of ["", "1.5", "0x1", " 1", "one"]) {
        const exit = yield* Effect.exit(readSwaps({ ...row, amount }))
        expect([amount, Exit.hasDies(exit)]).toEqual([amount, true])
      }
    })
  )

  it("of a new swap has its columns, its wallet's key and its operation's nonce", () => {
    for (const accepted of [order(1), order(3, { operation: fromSolana.operation })]) {
      const row = SwapRows.newRow(accepted)
      expect(row).toMatchObject({
        order_id: accepted.orderId,
        amount: String(accepted.amount),
        opens_account: 0,
        operation_nonce: accepted.operation._tag === "evm" ? accepted.operation.nonce : null,
        wallet_key: accepted.wallet.toLowerCase(),
        visitor: null
      })
      expect(SwapRows.inserted(accepted, 5)).toStrictEqual({
        ...accepted,
        state: "accepted",
        version: 0,
        updatedAt: 5,
        reserved: true
      })
      expect(Object.keys(SwapRows.newColumns).toSorted()).toEqual([...Object.keys(row), "updated_at"].toSorted())
    }
    expect(() => SwapRows.newRow({ ...swap, createdAt: 0.5 })).toThrow("invalid")
    expect(() => SwapRows.newRow({ ...swap, feeBps: Number.NaN })).toThrow("invalid")
  })

  it("has every column of a swap, and NULL for missing values", () => {
    const row = rowOf(swap)
    expect(Object.keys(row)).toHaveLength(38)
    expect(row).toMatchObject({ origin_tx_hash: "0xa", origin_block: null, delivery_tx_hash: null, failure_code: null })
  })
})
