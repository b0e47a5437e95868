/**
 * Tables that were added since the fourth migration. They have their own list and their own bookkeeping table,
 * `geoswap_additions`: a server up to that version refuses to start on a database with a newer migration, but must still
 * start during a rolling update and after a rollback. So an entry may only add a new table, which such a server does not
 * notice. Everything else is a migration.
 *
 * A new column is not allowed: PostgreSQL refuses statements that running servers prepared before it and that return
 * whole rows ("cached plan must not change result type"), together with their transactions.
 *
 * Never edit an entry that a released version has run. Add the next one below it, with the next id.
 */
export const additions: Readonly<Record<`${number}_${string}`, ReadonlyArray<string>>> = {
  // Calls per second that each server counts against a shared limit: see LimitShares.ts. A row is valid until a time of
  // the database's clock, in milliseconds. The limit '' is the server itself.
  "0001_limit_demand": [
    `CREATE TABLE limit_demand (
      limit_key TEXT NOT NULL,
      replica TEXT NOT NULL,
      per_second DOUBLE PRECISION NOT NULL,
      valid_until BIGINT NOT NULL,
      PRIMARY KEY (limit_key, replica)
    )`
  ],
  // Of a swap: when its quote was issued, the block that includes its collect (see reservationReleases.ts), and the
  // refunded amount if not the whole input. A server up to the fourth migration writes none of it.
  "0002_swap_details": [
    `CREATE TABLE swap_details (
      swap_id TEXT NOT NULL PRIMARY KEY,
      quoted_at BIGINT,
      origin_block BIGINT,
      refund_amount TEXT
    )`
  ],
  // Which swap has an operation nonce of a wallet: see operationNonces.ts. A server without this table writes no entry.
  "0003_operation_nonces": [
    `CREATE TABLE operation_nonces (
      chain_id BIGINT NOT NULL,
      wallet TEXT NOT NULL,
      nonce TEXT NOT NULL,
      swap_id TEXT NOT NULL,
      PRIMARY KEY (chain_id, wallet, nonce)
    )`
  ],
  // Of a failed swap: its collect that is final and reverted. Not in `swaps.origin_tx_hash`, which may still have the hash
  // of a collect whose block was undone.
  "0004_reverted_collects": [
    `CREATE TABLE reverted_collects (
      swap_id TEXT NOT NULL PRIMARY KEY,
      hash TEXT NOT NULL
    )`
  ]
}

/** The bookkeeping table. Ids above the last entry belong to a newer version and are accepted. */
export const table = "geoswap_additions"
