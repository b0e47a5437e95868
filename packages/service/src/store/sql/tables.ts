/**
 * The tables as the first migration creates them. Milliseconds, nonces and blocks are BIGINT. Amounts have up to 256 bits,
 * so they are decimal TEXT and are summed in code, except for the totals of claims on PostgreSQL. A `_key` is an address
 * key. Partial indexes exclude finished swaps, so no search has to scan them.
 *
 * The values of a swap are columns of `swaps`, so that one statement reads or changes them. Other tables have what a swap
 * has several of, or none (events, transactions, claims, losses, gas), and what several swaps share (batches).
 */
import * as Claims from "../acceptance/claimTables.js"
import { factsFunction } from "../acceptance/facts.js"

const open = "state NOT IN ('settled', 'failed', 'refunded')"

/** How a transaction is stored, for swaps and for delegation changes. */
const attempt = `number BIGINT NOT NULL,
    hash TEXT NOT NULL,
    raw TEXT NOT NULL,
    nonce BIGINT,
    max_fee_per_gas TEXT,
    max_priority_fee_per_gas TEXT,
    max_cost TEXT,
    last_valid_block_height TEXT,
    cancels BIGINT NOT NULL,
    created_at BIGINT NOT NULL`

const accounts = [
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
  // The calls per second that each server counts against a shared limit (see LimitShares.ts). A row is valid until its
  // `valid_until`, in milliseconds on the database's clock. A row with an empty limit ('') marks the server itself as
  // alive.
  `CREATE TABLE limit_demand (
    limit_key TEXT NOT NULL,
    replica TEXT NOT NULL,
    per_second DOUBLE PRECISION NOT NULL,
    valid_until BIGINT NOT NULL,
    PRIMARY KEY (limit_key, replica)
  )`
]

const swaps = [
  `CREATE TABLE swaps (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    visitor TEXT,
    order_id TEXT NOT NULL UNIQUE,
    operation_hash TEXT NOT NULL,
    origin_chain BIGINT NOT NULL,
    destination_chain BIGINT NOT NULL,
    input_token TEXT NOT NULL,
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
    operation_nonce TEXT,
    at_risk_cents BIGINT,
    quoted_at BIGINT NOT NULL,
    trace TEXT,
    created_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    origin_tx_hash TEXT,
    origin_block BIGINT,
    collected_at BIGINT,
    reverted_tx_hash TEXT,
    delivery_tx_hash TEXT,
    refund_tx_hash TEXT,
    refund_amount TEXT,
    paid_amount TEXT,
    failure_code TEXT,
    lease_owner TEXT,
    lease_until BIGINT
  )`,
  // This index is for listing all swaps by time.
  `CREATE INDEX swaps_by_time ON swaps (created_at, id)`,
  // Without the lease, so that claiming a swap does not move its entry in this index.
  `CREATE INDEX swaps_open ON swaps (created_at, id, state) WHERE ${open}`,
  // Finds unclaimed swaps without scanning claimed ones, of which there may be a hundred thousand.
  `CREATE INDEX swaps_fresh ON swaps (created_at, id) WHERE ${open} AND lease_until IS NULL`,
  `CREATE INDEX swaps_held ON swaps (lease_until) WHERE ${open} AND lease_until IS NOT NULL`,
  `CREATE INDEX swaps_in_flight ON swaps (origin_chain, wallet_key)
    WHERE state IN ('accepted', 'origin_prepared', 'origin_sent')`,
  // A wallet's operation nonce belongs to at most one swap that has not failed. Solana operations have no nonce.
  `CREATE UNIQUE INDEX swaps_by_nonce ON swaps (origin_chain, wallet_key, operation_nonce) WHERE state <> 'failed'`,
  `CREATE TABLE swap_events (
    swap_id TEXT NOT NULL REFERENCES swaps (id),
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    state TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (swap_id, version)
  )`,
  // Where the turn of a wallet's operation indices continues (see operationIndices.ts).
  `CREATE TABLE operation_indices (
    chain_id BIGINT NOT NULL,
    wallet TEXT NOT NULL,
    space TEXT NOT NULL,
    next_index BIGINT NOT NULL,
    PRIMARY KEY (chain_id, wallet, space)
  )`
]

const transactions = [
  // A retired relayer takes no new transactions.
  `CREATE TABLE relayers (
    chain_id BIGINT NOT NULL,
    address TEXT NOT NULL,
    next_nonce BIGINT NOT NULL,
    retired_at BIGINT,
    PRIMARY KEY (chain_id, address)
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
    ${attempt},
    PRIMARY KEY (swap_id, kind, number),
    UNIQUE (swap_id, kind, hash),
    FOREIGN KEY (swap_id, kind) REFERENCES tx_intents (swap_id, kind)
  )`,
  // Transactions that several swaps share, with the hash of their newest attempt, and these swaps (see sqlBatches.ts). Only
  // the first swap's intent has the nonce, so that the nonce of each intent is unique.
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
  `CREATE INDEX batch_items_by_nonce ON batch_items (chain_id, signer, nonce)`,
  // What the final transactions of swaps cost (see SpentGas.ts).
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
  )`,
  // What was lost with collections (see LostCollection.ts).
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
    is_strike BIGINT NOT NULL,
    is_final BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (swap_id, hash)
  )`,
  `CREATE INDEX lost_collections_by_time ON lost_collections (chain_id, at)`
]

/** Delegations that are changed without a swap (see DelegationChange.ts), and their transactions. */
const delegations = [
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
    signer TEXT NOT NULL,
    ${attempt},
    PRIMARY KEY (change_id, number)
  )`,
  `CREATE INDEX delegation_attempts_by_nonce ON delegation_attempts (signer, nonce)`
]

const common = [...accounts, ...swaps, ...transactions, ...delegations]

export const first = {
  postgres: [...common, ...Claims.postgres, factsFunction],
  sqlite: [...common, ...Claims.sqlite]
}
