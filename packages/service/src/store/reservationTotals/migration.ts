/**
 * The tables and triggers that keep the total of the reservations for each chain and token. Triggers keep the totals in
 * the transaction that adds or removes a reservation, even if a server that predates the totals runs that transaction.
 */
import { partColumns, partOf } from "./amountParts.js"

/**
 * PostgreSQL: a total includes all reservations that were added. Reservations that were removed since are in
 * `released_reservations`. The reserved amount is the difference. This way, transactions that remove reservations do not
 * wait for each other or for an acceptance, which would all have to change the same total. The next transaction that
 * adds a reservation, and that therefore changes the total anyway, moves the removed amounts into the total.
 */
export const postgres: ReadonlyArray<string> = [
  `CREATE TABLE reservation_totals (
    chain_id BIGINT NOT NULL,
    token TEXT NOT NULL,
    amount NUMERIC NOT NULL,
    PRIMARY KEY (chain_id, token)
  )`,
  `CREATE TABLE released_reservations (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id BIGINT NOT NULL,
    token TEXT NOT NULL,
    amount NUMERIC NOT NULL
  )`,
  `CREATE INDEX released_reservations_by_token ON released_reservations (chain_id, token)`,
  // The totals are sorted, so that two transactions cannot deadlock.
  `CREATE FUNCTION geoswap_reservations_added () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    WITH moved AS (
      DELETE FROM released_reservations
      WHERE (chain_id, token) IN (SELECT added.chain_id, added.token FROM added)
      RETURNING chain_id, token, amount
    )
    INSERT INTO reservation_totals (chain_id, token, amount)
    SELECT changes.chain_id, changes.token, SUM(changes.amount) FROM (
      SELECT added.chain_id, added.token, added.amount::numeric AS amount FROM added
      UNION ALL
      SELECT moved.chain_id, moved.token, - moved.amount FROM moved
    ) AS changes
    GROUP BY changes.chain_id, changes.token ORDER BY changes.chain_id, changes.token
    ON CONFLICT (chain_id, token) DO UPDATE SET amount = reservation_totals.amount + excluded.amount;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION geoswap_reservations_removed () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO released_reservations (chain_id, token, amount)
    SELECT removed.chain_id, removed.token, removed.amount::numeric FROM removed;
    RETURN NULL;
  END $$`,
  // From here on, no reservation is added or removed until the migration has been committed.
  `CREATE TRIGGER geoswap_reservations_added AFTER INSERT ON reservations
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION geoswap_reservations_added()`,
  `CREATE TRIGGER geoswap_reservations_removed AFTER DELETE ON reservations
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION geoswap_reservations_removed()`,
  `INSERT INTO reservation_totals (chain_id, token, amount)
    SELECT chain_id, token, SUM(amount::numeric) FROM reservations GROUP BY chain_id, token`
]

const columns = partColumns.join(", ")
const partsOf = (amount: string) => partColumns.map((_, index) => partOf(amount, index)).join(", ")

/**
 * SQLite: the total is the sum of all reservations. SQLite cannot add numbers with 256 bits, so the total is stored in
 * parts (see amountParts.ts). Only one transaction can write at a time, so changing one total in each transaction makes
 * no difference.
 */
export const sqlite: ReadonlyArray<string> = [
  `CREATE TABLE reservation_totals (
    chain_id BIGINT NOT NULL,
    token TEXT NOT NULL,
    ${partColumns.map((column) => `${column} BIGINT NOT NULL`).join(", ")},
    PRIMARY KEY (chain_id, token)
  )`,
  `CREATE TRIGGER geoswap_reservations_added AFTER INSERT ON reservations BEGIN
    INSERT INTO reservation_totals (chain_id, token, ${columns})
    VALUES (NEW.chain_id, NEW.token, ${partsOf("NEW.amount")})
    ON CONFLICT (chain_id, token) DO UPDATE
    SET ${partColumns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")};
  END`,
  `CREATE TRIGGER geoswap_reservations_removed AFTER DELETE ON reservations BEGIN
    UPDATE reservation_totals
    SET ${partColumns.map((column, index) => `${column} = ${column} - ${partOf("OLD.amount", index)}`).join(", ")}
    WHERE chain_id = OLD.chain_id AND token = OLD.token;
  END`,
  `INSERT INTO reservation_totals (chain_id, token, ${columns})
    SELECT chain_id, token, ${partColumns.map((_, index) => `SUM(${partOf("amount", index)})`).join(", ")}
    FROM reservations GROUP BY chain_id, token`
]

/** Computes the totals from the reservations, which must not change in the meantime. */
export const rebuild: Readonly<Record<"postgres" | "sqlite", ReadonlyArray<string>>> = {
  postgres: [
    "LOCK TABLE reservations IN SHARE ROW EXCLUSIVE MODE",
    "DELETE FROM released_reservations",
    "DELETE FROM reservation_totals",
    ...postgres.slice(-1)
  ],
  sqlite: ["DELETE FROM reservation_totals", ...sqlite.slice(-1)]
}
