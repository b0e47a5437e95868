/**
 * Tables and columns that were added since the fourth migration. They have their own list and their own bookkeeping table,
 * `geoswap_additions`, because a server up to that version refuses to start on a database with a newer migration: while
 * servers are replaced one by one, and after a rollback, it must still start. So an entry here may only add what such a
 * server does not notice: a new table, or a column that is nullable or has a default. Everything else is a migration.
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
  // The block that includes the collect of a swap, from its inclusion on: see releases.ts. A server up to the fourth
  // migration leaves it NULL.
  "0002_origin_block": [`ALTER TABLE swaps ADD COLUMN origin_block BIGINT`],
  // When the quote was issued, whether the output is still reserved, and what is refunded if not the whole input.
  "0003_quotes_and_refunds": [
    `ALTER TABLE swaps ADD COLUMN quoted_at BIGINT`,
    `ALTER TABLE swaps ADD COLUMN reserved BIGINT NOT NULL DEFAULT 1`,
    `ALTER TABLE swaps ADD COLUMN refund_amount TEXT`
  ]
}

/** Which entries a database has. Ids above the last one are of a newer version, and nothing to refuse. */
export const table = "geoswap_additions"
