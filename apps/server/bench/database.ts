/** Fills databases with swaps. */
import { createHash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import type { Storage } from "@geoswap/server"
import * as Redacted from "effect/Redacted"
import { chains, contracts, tokens } from "./contracts.ts"
import { connectTo } from "./postgres.ts"

/** A database. */
export type Database =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string }

/** In the form that the server accepts. */
export const storageOf = (database: Database): Storage.Database =>
  database.kind === "sqlite" ? database : { kind: "postgres", url: Redacted.make(database.url) }

/** The swaps to write. */
export interface Fill {
  readonly accountId: string
  readonly count: number
  /** The number of the first swap; numbers must be unique. */
  readonly from?: number
  readonly state: "accepted" | "settled"
  /** Leased by another process for an hour. */
  readonly leased?: boolean
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

/** As random as the ids of the service, but predictable. */
export const idOf = (number: number): string => {
  const hex = hashOf(`swap ${number}`)
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-"
  )
}

const [one, two] = chains
const [usdc, weth] = tokens
const began = Date.now()

const rowOf = ({ accountId, leased = false, state }: Fill, number: number) => {
  const wallet = `0x${hashOf(`wallet ${number % 1_000}`).slice(0, 40)}`
  const over = state === "settled"
  const at = began - 10_000_000 + number
  return {
    id: idOf(number),
    account_id: accountId,
    order_id: `0x${hashOf(`order ${number}`)}`,
    operation_hash: `0x${hashOf(`operation ${number}`)}`,
    origin_chain: one.id,
    destination_chain: two.id,
    input_token: usdc.address,
    output_token: weth.address,
    wallet,
    wallet_key: wallet,
    recipient: wallet,
    amount: "10000000",
    output: "2480000000000000",
    min_output: "2470000000000000",
    terms: `0x${hashOf(`terms ${number}`)}`,
    fee_bps: 10,
    network_cost: "70000",
    opens_account: 0,
    operation: JSON.stringify({
      _tag: "evm",
      delegate: contracts.delegate,
      nonce: `${number}`,
      deadline: Math.floor(at / 1_000) + 120,
      signature: `0x${hashOf("r")}${hashOf("s")}1b`,
      vault: contracts.vault,
      method: "message"
    }),
    operation_nonce: `${number}`,
    quoted_at: at,
    created_at: at,
    state,
    version: over ? 6 : 0,
    updated_at: at,
    origin_tx_hash: over ? `0x${hashOf(`origin ${number}`)}` : null,
    delivery_tx_hash: over ? `0x${hashOf(`delivery ${number}`)}` : null,
    refund_tx_hash: null,
    failure_code: null,
    lease_owner: leased ? "another-worker" : null,
    lease_until: leased ? began + 3_600_000 : null,
    trace: null
  }
}

const atOnce = 5_000

/** Writes swaps directly to the database: 100,000 in seconds. The tables must exist. */
export const fill = async (database: Database, what: Fill): Promise<void> => {
  const numbers = Array.from({ length: what.count }, (_, index) => (what.from ?? 0) + index)
  if (database.kind === "sqlite") {
    const file = new DatabaseSync(database.path, { timeout: 5_000 })
    const names = Object.keys(rowOf(what, 0))
    const insert = file.prepare(
      `INSERT INTO swaps (${names.join()}) VALUES (${names.map((name) => `:${name}`).join()})`
    )
    file.exec("BEGIN")
    for (const number of numbers) insert.run(rowOf(what, number))
    file.exec("COMMIT")
    file.exec("ANALYZE")
    return file.close()
  }
  const client = await connectTo(database.url)
  for (let from = 0; from < numbers.length; from += atOnce) {
    const rows = numbers.slice(from, from + atOnce).map((number) => rowOf(what, number))
    await client.query("INSERT INTO swaps SELECT * FROM json_populate_recordset(null::swaps, $1)", [
      JSON.stringify(rows)
    ])
  }
  await client.query("VACUUM ANALYZE swaps")
  await client.end()
}

/** Marks all swaps as finished in the database. */
export const endAll = async (database: Database): Promise<void> => {
  const statement = "UPDATE swaps SET state = 'settled', version = version + 1, lease_owner = NULL, lease_until = NULL"
  if (database.kind === "sqlite") {
    const file = new DatabaseSync(database.path, { timeout: 5_000 })
    file.exec(statement)
    return file.close()
  }
  const client = await connectTo(database.url)
  await client.query(statement)
  await client.end()
}
