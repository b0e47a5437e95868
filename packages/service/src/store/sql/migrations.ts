/**
 * The migrations that create and change the tables. New data normally goes into a new table in `additiveMigrations.ts`,
 * because a migration in this file prevents servers running the previous version from starting. Never edit a migration
 * that a released version has run. Add the next migration below it.
 */
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../StoreError.js"
import * as Additions from "./additiveMigrations.js"

// Milliseconds and nonces are BIGINT. Amounts have up to 256 bits, so they are stored as decimal TEXT and summed in
// code. A `_key` is an address key. Partial indexes exclude finished swaps, so no search has to scan them.
const first = [
  `CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
  )`,
  `CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    hash TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
  )`,
  `CREATE TABLE account_nonces (
    chain_id BIGINT NOT NULL,
    wallet TEXT NOT NULL,
    next_index BIGINT NOT NULL,
    PRIMARY KEY (chain_id, wallet)
  )`,
  `CREATE TABLE relayers (
    chain_id BIGINT NOT NULL,
    address TEXT NOT NULL,
    next_nonce BIGINT NOT NULL,
    PRIMARY KEY (chain_id, address)
  )`,
  `CREATE TABLE swaps (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    order_id TEXT NOT NULL UNIQUE,
    operation_hash TEXT NOT NULL,
    origin_chain BIGINT NOT NULL,
    destination_chain BIGINT NOT NULL,
    input_token TEXT NOT NULL,
    input_token_key TEXT NOT NULL,
    output_token TEXT NOT NULL,
    wallet TEXT NOT NULL,
    wallet_key TEXT NOT NULL,
    recipient TEXT NOT NULL,
    amount TEXT NOT NULL,
    output TEXT NOT NULL,
    min_output TEXT NOT NULL,
    terms TEXT NOT NULL,
    fee_bps DOUBLE PRECISION NOT NULL,
    network_cost TEXT NOT NULL,
    opens_account BIGINT NOT NULL,
    operation TEXT NOT NULL,
    trace TEXT,
    created_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    origin_tx_hash TEXT,
    delivery_tx_hash TEXT,
    refund_tx_hash TEXT,
    failure_code TEXT,
    lease_owner TEXT,
    lease_until BIGINT
  )`,
  // This index is for listing all swaps by time.
  `CREATE INDEX swaps_by_time ON swaps (created_at, id)`,
  // Without the lease, so that claiming a swap does not move its entry in this index.
  `CREATE INDEX swaps_open ON swaps (created_at, id, state) WHERE state NOT IN ('settled', 'failed', 'refunded')`,
  // Finds unclaimed swaps without scanning claimed ones, of which there may be a hundred thousand.
  `CREATE INDEX swaps_fresh ON swaps (created_at, id)
    WHERE state NOT IN ('settled', 'failed', 'refunded') AND lease_until IS NULL`,
  `CREATE INDEX swaps_held ON swaps (lease_until)
    WHERE state NOT IN ('settled', 'failed', 'refunded') AND lease_until IS NOT NULL`,
  `CREATE INDEX swaps_in_flight ON swaps (origin_chain, wallet_key, input_token_key)
    WHERE state IN ('accepted', 'origin_prepared', 'origin_sent')`,
  // For each swap: when its quote was issued, the block that includes its collection transaction (see
  // claims/releases.ts), the refunded amount if it is not the whole input, and the page's visitor who submitted it.
  `CREATE TABLE swap_details (
    swap_id TEXT NOT NULL PRIMARY KEY,
    quoted_at BIGINT,
    origin_block BIGINT,
    refund_amount TEXT,
    visitor TEXT
  )`,
  `CREATE TABLE swap_events (
    swap_id TEXT NOT NULL REFERENCES swaps (id),
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    state TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (swap_id, version)
  )`,
  `CREATE TABLE tx_intents (
    swap_id TEXT NOT NULL REFERENCES swaps (id),
    kind TEXT NOT NULL,
    chain_id BIGINT NOT NULL,
    signer TEXT NOT NULL,
    nonce BIGINT,
    PRIMARY KEY (swap_id, kind)
  )`,
  `CREATE UNIQUE INDEX tx_intents_by_nonce ON tx_intents (chain_id, signer, nonce) WHERE nonce IS NOT NULL`,
  `CREATE TABLE tx_attempts (
    swap_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT NOT NULL,
    hash TEXT NOT NULL,
    raw TEXT NOT NULL,
    nonce BIGINT,
    last_valid_block_height TEXT,
    max_fee_per_gas TEXT,
    max_priority_fee_per_gas TEXT,
    max_cost TEXT,
    cancels BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (swap_id, kind, number),
    UNIQUE (swap_id, kind, hash),
    FOREIGN KEY (swap_id, kind) REFERENCES tx_intents (swap_id, kind)
  )`
]

const run = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true })
  )

const migrations = { "0001_first": run(first) }
const table = "geoswap_migrations"

/** Migrates the tables. Fails if a newer version has already migrated them. */
export const migrate: Effect.Effect<void, SqlError | StoreUnavailable, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const update = Migrator.make({})
  yield* update({ loader: Migrator.fromRecord(migrations), table })
  const known = Object.keys(migrations).length
  const newer = yield* sql`SELECT migration_id FROM ${sql(table)} WHERE migration_id > ${known}`
  if (newer.length > 0) {
    return yield* new StoreUnavailable({
      message: "This database was written by a newer version of the service. Run that version."
    })
  }
  const engine = sql.onDialectOrElse({ pg: () => "postgres" as const, orElse: () => "sqlite" as const })
  const additions = Record.map(Additions.additions, (entry) => run("sqlite" in entry ? entry[engine] : entry))
  yield* update({ loader: Migrator.fromRecord(additions), table: Additions.table })
}).pipe(
  Effect.catchTag("MigrationError", (error) =>
    Effect.andThen(
      Effect.logDebug("A migration failed", { kind: error.kind }),
      new StoreUnavailable({ message: `The tables could not be migrated: ${error.message}.` })
    )
  )
)
