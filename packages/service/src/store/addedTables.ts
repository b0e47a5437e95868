/**
 * Tables that were added since the fourth migration. They have their own list and their own bookkeeping table,
 * `geoswap_additions`, because a server up to that version refuses to start on a database with a newer migration: while
 * servers are replaced one by one, and after a rollback, it must still start. So an entry here may only add what such a
 * server does not notice: a new table. Everything else is a migration.
 *
 * A new column is noticed: PostgreSQL refuses statements of running servers that were prepared before it and return whole
 * rows ("cached plan must not change result type"), and with them the transactions that they are part of.
 *
 * An entry that a released version has run is never edited. The next one is added below it, with the next id.
 */
export const additions: Readonly<Record<`${number}_${string}`, ReadonlyArray<string>>> = {
  // How many calls per second each server counts against a limit that all of them share: see LimitShares.ts. A row is
  // valid until a time of the database's clock, in milliseconds. The limit '' is the server itself.
  "0001_limit_demand": [
    `CREATE TABLE limit_demand (
      limit_key TEXT NOT NULL,
      replica TEXT NOT NULL,
      per_second DOUBLE PRECISION NOT NULL,
      valid_until BIGINT NOT NULL,
      PRIMARY KEY (limit_key, replica)
    )`
  ],
  // Of a swap: when its quote was issued, the block that includes its collect from the inclusion on (see releases.ts), and
  // what is refunded if not the whole input. A server up to the fourth migration writes none of it.
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

/** Which entries a database has. Ids above the last one are of a newer version, and nothing to refuse. */
export const table = "geoswap_additions"
