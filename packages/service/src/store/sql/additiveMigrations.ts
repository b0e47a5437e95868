/**
 * Tables that can be added while servers are running. They have a separate list and a separate bookkeeping table,
 * `geoswap_additions`, because a server refuses to start on a database with a newer migration, but must still start
 * during a rolling update and after a rollback. An entry may therefore only add a
 * new table, which such a server ignores, or functions and triggers that work with that server's statements. Any other
 * change must be a migration.
 *
 * A new column is not allowed. Servers that are already running may have prepared statements that return whole rows.
 * After the column was added, PostgreSQL would reject those statements ("cached plan must not change result type")
 * and abort their transactions.
 *
 * Never edit an entry that a released version has run. Add the next entry below it, with the next id.
 */
import * as Claims from "../acceptance/claimTables.js"
import { functions } from "../acceptance/postgres.js"

/** Statements that differ between databases. */
export interface ByDatabase {
  readonly postgres: ReadonlyArray<string>
  readonly sqlite: ReadonlyArray<string>
}

export const additions: Readonly<Record<`${number}_${string}`, ReadonlyArray<string> | ByDatabase>> = {
  // The calls per second that each server counts against a shared limit (see LimitShares.ts). A row is valid until its
  // `valid_until`, in milliseconds on the database's clock. A row with an empty limit ('') marks the server itself as
  // alive.
  "0001_limit_demand": [
    `CREATE TABLE limit_demand (
      limit_key TEXT NOT NULL,
      replica TEXT NOT NULL,
      per_second DOUBLE PRECISION NOT NULL,
      valid_until BIGINT NOT NULL,
      PRIMARY KEY (limit_key, replica)
    )`
  ],
  // Which swap uses a wallet's operation nonce (see operationNonces.ts).
  "0002_operation_nonces": [
    `CREATE TABLE operation_nonces (
      chain_id BIGINT NOT NULL,
      wallet TEXT NOT NULL,
      nonce TEXT NOT NULL,
      swap_id TEXT NOT NULL,
      PRIMARY KEY (chain_id, wallet, nonce)
    )`
  ],
  // For each failed swap: its collection transaction that reverted in a finalized block. The hash is not stored in
  // `swaps.origin_tx_hash`, because that column may still contain the hash of a collection transaction whose block was
  // reorged out.
  "0003_reverted_collects": [
    `CREATE TABLE reverted_collects (
      swap_id TEXT NOT NULL PRIMARY KEY,
      hash TEXT NOT NULL
    )`
  ],
  // For each settled or refunded swap: the amount that the recipient received or that the wallet got back.
  "0004_swap_payments": [
    `CREATE TABLE swap_payments (
      swap_id TEXT NOT NULL PRIMARY KEY,
      amount TEXT NOT NULL
    )`
  ],
  // Delegations that are changed without a swap (see DelegationChange.ts), and their transactions.
  "0005_delegation_changes": [
    `CREATE TABLE delegation_changes (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL,
      chain_id BIGINT NOT NULL,
      wallet TEXT NOT NULL,
      wallet_key TEXT NOT NULL,
      nonce BIGINT NOT NULL,
      signed_authorization TEXT NOT NULL,
      gas BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      state TEXT NOT NULL,
      version BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      tx_hash TEXT,
      failure_code TEXT,
      lease_owner TEXT,
      lease_until BIGINT
    )`,
    `CREATE UNIQUE INDEX delegation_changes_by_nonce ON delegation_changes (chain_id, wallet_key, nonce)
      WHERE state <> 'failed'`,
    `CREATE INDEX delegation_changes_by_account ON delegation_changes (account_id, created_at)`,
    `CREATE INDEX delegation_changes_open ON delegation_changes (chain_id, created_at, id)
      WHERE state IN ('accepted', 'sent')`,
    `CREATE TABLE delegation_attempts (
      change_id TEXT NOT NULL REFERENCES delegation_changes (id),
      number BIGINT NOT NULL,
      signer TEXT NOT NULL,
      hash TEXT NOT NULL,
      raw TEXT NOT NULL,
      nonce BIGINT,
      max_fee_per_gas TEXT,
      max_priority_fee_per_gas TEXT,
      max_cost TEXT,
      cancels BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (change_id, number)
    )`,
    `CREATE INDEX delegation_attempts_by_nonce ON delegation_attempts (signer, nonce)`
  ],
  // What swaps use up together (see claims/Claim.ts), and the function that reads it with everything else that an
  // acceptance depends on.
  "0006_claims": {
    postgres: [...Claims.postgres, ...functions],
    sqlite: Claims.sqlite
  },
  // Relayers that take no new transactions.
  "0007_retired_relayers": [
    `CREATE TABLE retired_relayers (
      chain_id BIGINT NOT NULL,
      relayer TEXT NOT NULL,
      retired_at BIGINT NOT NULL,
      PRIMARY KEY (chain_id, relayer)
    )`
  ],
  // What was lost with collections (see LostCollection.ts).
  "0008_lost_collections": [
    `CREATE TABLE lost_collections (
      swap_id TEXT NOT NULL,
      hash TEXT NOT NULL,
      account TEXT NOT NULL,
      visitor TEXT,
      chain_id BIGINT NOT NULL,
      method TEXT NOT NULL,
      wallet TEXT NOT NULL,
      target TEXT,
      gas TEXT NOT NULL,
      strike BIGINT NOT NULL,
      final BIGINT NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (swap_id, hash)
    )`,
    `CREATE INDEX lost_collections_by_time ON lost_collections (chain_id, at)`
  ],
  // Transactions that several swaps share, with the hash of their newest attempt, and these swaps (see batches.ts).
  "0009_batches": [
    `CREATE TABLE batches (
      chain_id BIGINT NOT NULL,
      signer TEXT NOT NULL,
      nonce BIGINT NOT NULL,
      newest_hash TEXT NOT NULL,
      PRIMARY KEY (chain_id, signer, nonce)
    )`,
    `CREATE TABLE batch_items (
      swap_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      chain_id BIGINT NOT NULL,
      signer TEXT NOT NULL,
      nonce BIGINT NOT NULL,
      PRIMARY KEY (swap_id, kind)
    )`,
    `CREATE INDEX batch_items_by_nonce ON batch_items (chain_id, signer, nonce)`
  ],
  // What the final transactions of swaps cost (see SpentGas.ts).
  "0010_spent_gas": [
    `CREATE TABLE spent_gas (
      swap_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      chain_id BIGINT NOT NULL,
      hash TEXT NOT NULL,
      gas_used TEXT NOT NULL,
      gas_price TEXT NOT NULL,
      cost TEXT NOT NULL,
      settled BIGINT NOT NULL,
      share TEXT NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (swap_id, kind, hash)
    )`
  ]
}

/**
 * The name of the bookkeeping table. A server also starts if the table contains ids above the last entry, which belong
 * to a newer version.
 */
export const table = "geoswap_additions"
