/**
 * The tables of claims, and the triggers that keep the totals of the outputs, which a submit must not add up. Triggers keep
 * the totals in the transaction that adds or removes a claim.
 */
import { partColumns, partOf } from "./amountParts.js"

/**
 * `from_block`: the input of a refund's swap arrived in this block, so the vault owes the refund, and a balance of the vault
 * at that block or a newer one includes the input. `until_block`: the input of a collection's swap left in this block, so
 * balances at that block or a newer one no longer include what the collection uses.
 *
 * `releases`: the latest block at which money left a resource whose claim was released (see releases.ts).
 */
const common: ReadonlyArray<string> = [
  `CREATE TABLE claims (
    swap_id TEXT NOT NULL REFERENCES swaps (id),
    phase TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    amount TEXT NOT NULL,
    from_block BIGINT,
    until_block BIGINT
  )`,
  `CREATE UNIQUE INDEX claims_by_swap ON claims (swap_id, phase, kind)`,
  `CREATE INDEX claims_by_resource ON claims (kind, name)`,
  `CREATE TABLE releases (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    block BIGINT NOT NULL,
    PRIMARY KEY (kind, name)
  )`
]

/**
 * PostgreSQL: a total includes all outputs that were claimed. Outputs that were released since are in `released_outputs`.
 * The claimed amount is the difference. This way, transactions that release outputs do not wait for each other or for an
 * acceptance, which would all have to change the same total. The next transaction that claims an output, and that
 * therefore changes the total anyway, moves the released amounts into the total.
 */
export const postgres: ReadonlyArray<string> = [
  ...common,
  `CREATE TABLE output_totals (name TEXT NOT NULL PRIMARY KEY, amount NUMERIC NOT NULL)`,
  `CREATE TABLE released_outputs (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL,
    amount NUMERIC NOT NULL
  )`,
  `CREATE INDEX released_outputs_by_name ON released_outputs (name)`,
  // The totals are sorted, so that two transactions cannot deadlock.
  `CREATE FUNCTION geoswap_claims_added () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    WITH outputs AS MATERIALIZED (
      SELECT added.name, added.amount::numeric AS amount FROM added WHERE added.kind = 'output'
    ), moved AS (
      DELETE FROM released_outputs WHERE name IN (SELECT outputs.name FROM outputs) RETURNING name, amount
    )
    INSERT INTO output_totals (name, amount)
    SELECT changes.name, SUM(changes.amount) FROM (
      SELECT outputs.name, outputs.amount FROM outputs
      UNION ALL
      SELECT moved.name, - moved.amount FROM moved
    ) AS changes
    GROUP BY changes.name ORDER BY changes.name
    ON CONFLICT (name) DO UPDATE SET amount = output_totals.amount + excluded.amount;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION geoswap_claims_removed () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO released_outputs (name, amount)
    SELECT removed.name, removed.amount::numeric FROM removed WHERE removed.kind = 'output';
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER geoswap_claims_added AFTER INSERT ON claims
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION geoswap_claims_added()`,
  `CREATE TRIGGER geoswap_claims_removed AFTER DELETE ON claims
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION geoswap_claims_removed()`
]

const columns = partColumns.join(", ")
const partsOf = (amount: string) => partColumns.map((_, index) => partOf(amount, index)).join(", ")

/**
 * SQLite: the total is the sum of all claimed outputs. SQLite cannot add numbers with 256 bits, so the total is stored in
 * parts (see amountParts.ts). Only one transaction can write at a time, so changing one total in each transaction makes
 * no difference.
 */
export const sqlite: ReadonlyArray<string> = [
  ...common,
  `CREATE TABLE output_totals (
    name TEXT NOT NULL PRIMARY KEY,
    ${partColumns.map((column) => `${column} BIGINT NOT NULL`).join(", ")}
  )`,
  `CREATE TRIGGER geoswap_claims_added AFTER INSERT ON claims WHEN NEW.kind = 'output' BEGIN
    INSERT INTO output_totals (name, ${columns}) VALUES (NEW.name, ${partsOf("NEW.amount")})
    ON CONFLICT (name) DO UPDATE
    SET ${partColumns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")};
  END`,
  `CREATE TRIGGER geoswap_claims_removed AFTER DELETE ON claims WHEN OLD.kind = 'output' BEGIN
    UPDATE output_totals
    SET ${partColumns.map((column, index) => `${column} = ${column} - ${partOf("OLD.amount", index)}`).join(", ")}
    WHERE name = OLD.name;
  END`
]

/** Computes the totals from the claims, which must not change in the meantime. */
export const rebuild: Readonly<Record<"postgres" | "sqlite", ReadonlyArray<string>>> = {
  postgres: [
    "LOCK TABLE claims IN SHARE ROW EXCLUSIVE MODE",
    "DELETE FROM released_outputs",
    "DELETE FROM output_totals",
    `INSERT INTO output_totals (name, amount)
      SELECT name, SUM(amount::numeric) FROM claims WHERE kind = 'output' GROUP BY name`
  ],
  sqlite: [
    "DELETE FROM output_totals",
    `INSERT INTO output_totals (name, ${columns})
      SELECT name, ${partColumns.map((_, index) => `SUM(${partOf("amount", index)})`).join(", ")}
      FROM claims WHERE kind = 'output' GROUP BY name`
  ]
}
