/** Reads the database of a running server without changing it. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite"

const rows = (database: string, sql: string, ...values: ReadonlyArray<SQLInputValue>) => {
  const file = new DatabaseSync(database, { readOnly: true })
  try {
    return file.prepare(sql).all(...values)
  } finally {
    file.close()
  }
}

/** The order id of a swap. */
export const orderOf = (database: string, swapId: string): string => {
  const [row] = rows(database, "SELECT order_id FROM swaps WHERE id = ?", swapId)
  if (row === undefined) throw new Error(`There is no swap ${swapId}.`)
  return String(row["order_id"])
}

/** The hash of the operation. */
export const termsOf = (database: string, swapId: string): string =>
  String(rows(database, "SELECT terms FROM swaps WHERE id = ?", swapId)[0]?.["terms"])

/** The stored operation. */
export const operationOf = (database: string, swapId: string): unknown =>
  JSON.parse(String(rows(database, "SELECT operation FROM swaps WHERE id = ?", swapId)[0]?.["operation"]))

/** The state of a swap. */
export const stateOf = (database: string, swapId: string): string =>
  String(rows(database, "SELECT state FROM swaps WHERE id = ?", swapId)[0]?.["state"])

/** When a swap reached its state, in milliseconds since 1970. */
export const changedAtOf = (database: string, swapId: string): number =>
  Number(rows(database, "SELECT updated_at FROM swaps WHERE id = ?", swapId)[0]?.["updated_at"])

/** The transaction hashes of a swap so far. */
export const hashesOf = (
  database: string,
  swapId: string
): { readonly originTxHash: string | null; readonly deliveryTxHash: string | null } => {
  const [row] = rows(database, "SELECT origin_tx_hash, delivery_tx_hash FROM swaps WHERE id = ?", swapId)
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return { originTxHash: text(row?.["origin_tx_hash"]), deliveryTxHash: text(row?.["delivery_tx_hash"]) }
}

/** The block that includes the collect of a swap, if one is stored. */
export const originBlockOf = (database: string, swapId: string): number | null => {
  const block = rows(database, "SELECT origin_block FROM swaps WHERE id = ?", swapId)[0]?.["origin_block"] ?? null
  return block === null ? null : Number(block)
}

/** A stored transaction, with the fields that tests use. */
export interface Stored {
  readonly raw: string
  readonly hash: string
  readonly nonce: number | null
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly cancels: boolean
  readonly createdAt: number
}

/** The transactions of a swap, oldest first. */
export const attemptsOf = (
  database: string,
  swapId: string,
  kind: "collect" | "deliver" | "refund"
): ReadonlyArray<Stored> =>
  rows(database, "SELECT * FROM tx_attempts WHERE swap_id = ? AND kind = ? ORDER BY number", swapId, kind).map(
    (row) => ({
      raw: String(row["raw"]),
      hash: String(row["hash"]),
      nonce: row["nonce"] === null ? null : Number(row["nonce"]),
      maxFeePerGas: BigInt(String(row["max_fee_per_gas"] ?? 0)),
      maxPriorityFeePerGas: BigInt(String(row["max_priority_fee_per_gas"] ?? 0)),
      cancels: row["cancels"] === 1,
      createdAt: Number(row["created_at"])
    })
  )

/** The quoted network cost, in smallest units of the input. */
export const networkCostOf = (database: string, swapId: string): bigint =>
  BigInt(String(rows(database, "SELECT network_cost FROM swaps WHERE id = ?", swapId)[0]?.["network_cost"]))

const countOf = (database: string, sql: string): number => Number(rows(database, sql)[0]?.["count"])

/** The number of open swaps and of reserved outputs. */
export const leftOf = (database: string): { readonly open: number; readonly reserved: number } => ({
  open: countOf(database, "SELECT COUNT(*) AS count FROM swaps WHERE state NOT IN ('settled', 'failed', 'refunded')"),
  reserved: countOf(database, "SELECT COUNT(*) AS count FROM claims WHERE kind = 'output'")
})

/** The sum of the outputs that are reserved. */
export const heldOutputsOf = (database: string): bigint =>
  rows(database, "SELECT amount FROM claims WHERE kind = 'output'").reduce(
    (sum, { amount }) => sum + BigInt(String(amount)),
    0n
  )

/** The sum of the inputs that are not in a block and whose outputs are reserved. */
export const heldBeforeInclusionOf = (database: string): bigint =>
  rows(
    database,
    `SELECT swaps.amount FROM claims JOIN swaps ON swaps.id = swap_id
      WHERE kind = 'output' AND origin_block IS NULL AND state IN ('accepted', 'origin_prepared', 'origin_sent')`
  ).reduce((sum, { amount }) => sum + BigInt(String(amount)), 0n)

/** The number of swaps whose collection has not been sent. */
export const unsentOf = (database: string): number =>
  countOf(database, "SELECT COUNT(*) AS count FROM swaps WHERE state IN ('accepted', 'origin_prepared')")

/** The gas of all losses, by method. */
export const lostGasOf = (database: string): ReadonlyMap<string, bigint> => {
  const gasOf = new Map<string, bigint>()
  for (const { gas, method } of rows(database, "SELECT method, gas FROM lost_collections")) {
    gasOf.set(String(method), (gasOf.get(String(method)) ?? 0n) + BigInt(String(gas)))
  }
  return gasOf
}

/** The wallets with strikes. */
export const struckWalletsOf = (database: string): ReadonlyArray<string> =>
  rows(database, "SELECT DISTINCT wallet FROM lost_collections WHERE is_strike = 1").map(({ wallet }) => String(wallet))

/** The collection transactions, with the number of swaps that share each. */
export const collectionsOf = (
  database: string
): ReadonlyArray<{ readonly hash: string; readonly swaps: number; readonly cancels: boolean }> =>
  rows(
    database,
    "SELECT hash, COUNT(*) AS swaps, MAX(cancels) AS cancels FROM tx_attempts WHERE kind = 'collect' GROUP BY hash"
  ).map(({ cancels, hash, swaps }) => ({ hash: String(hash), swaps: Number(swaps), cancels: cancels === 1 }))

/** The ids of all swaps, oldest first. */
export const swapIdsOf = (database: string): ReadonlyArray<string> =>
  rows(database, "SELECT id FROM swaps ORDER BY created_at, id").map((row) => String(row["id"]))

/** The number of losses, and how many of them are strikes. */
export const lossesOf = (database: string): { readonly lost: number; readonly strikes: number } => ({
  lost: countOf(database, "SELECT COUNT(*) AS count FROM lost_collections"),
  strikes: countOf(database, "SELECT COUNT(*) AS count FROM lost_collections WHERE is_strike = 1")
})

/** The next nonce of a relayer. */
export const nextNonceOf = (database: string, chainId: number): number =>
  Number(rows(database, "SELECT next_nonce FROM relayers WHERE chain_id = ?", chainId)[0]?.["next_nonce"])
