/**
 * The tables of claims, and the totals of resources that many swaps use, which a submit must not add up. A total changes in
 * the transaction that adds or removes a claim.
 */
import { summed } from "../../domain/Claim.js"

const kinds = summed.map((kind) => `'${kind}'`).join(", ")

/** An SQL condition for claims on resources whose totals are kept. The others have an index. */
export const isSummed = `kind IN (${kinds})`
export const isNotSummed = `kind NOT IN (${kinds})`

/**
 * `from_block`: the input of a refund's swap arrived in this block, so the vault owes the refund, and a balance of the vault
 * at that block or a newer one includes the input. `until_block`: the input of a collection's swap left in this block, so
 * balances at that block or a newer one no longer include what the collection uses.
 *
 * `releases`: the latest block at which money left a resource whose claim was released (see releases.ts).
 */
const common = (options: string): ReadonlyArray<string> => [
  `CREATE TABLE claims (
    swap_id TEXT NOT NULL,
    phase TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    amount TEXT NOT NULL,
    from_block BIGINT,
    until_block BIGINT,
    PRIMARY KEY (swap_id, phase, kind)
  )${options}`,
  `CREATE INDEX claims_by_resource ON claims (kind, name) WHERE ${isNotSummed}`,
  `CREATE INDEX claims_by_arrival ON claims (name, from_block) WHERE kind = 'refund' AND from_block IS NOT NULL`,
  `CREATE TABLE releases (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    block BIGINT NOT NULL,
    PRIMARY KEY (kind, name)
  )`
]

/** The number of changes of a total on PostgreSQL after which they are moved into it. */
const changesMost = 50

/**
 * PostgreSQL: a total is the sum of its row and of the changes since. Every transaction only adds a change, so that neither
 * transactions that claim the same resource nor those that release it wait for each other. Once there are many changes, one
 * transaction moves them into the row, and the others do not wait for it: until it has committed, they see the row and the
 * changes as they were before.
 */
export const postgres: ReadonlyArray<string> = [
  ...common(""),
  `CREATE TABLE claim_totals (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    amount NUMERIC NOT NULL,
    PRIMARY KEY (kind, name)
  )`,
  `CREATE TABLE claim_changes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    amount NUMERIC NOT NULL
  )`,
  `CREATE INDEX claim_changes_by_resource ON claim_changes (kind, name)`,
  `CREATE FUNCTION geoswap_claimed (of_kind TEXT, of_name TEXT) RETURNS NUMERIC LANGUAGE SQL STABLE AS $$
    SELECT COALESCE((SELECT t.amount FROM claim_totals t WHERE t.kind = of_kind AND t.name = of_name), 0)
      + COALESCE((SELECT SUM(c.amount) FROM claim_changes c WHERE c.kind = of_kind AND c.name = of_name), 0)
  $$`,
  `CREATE FUNCTION geoswap_claims_added () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  DECLARE
    resource RECORD;
  BEGIN
    INSERT INTO claim_changes (kind, name, amount)
      SELECT added.kind, added.name, SUM(added.amount::numeric) FROM added WHERE added.kind IN (${kinds})
      GROUP BY added.kind, added.name;
    FOR resource IN
      SELECT DISTINCT added.kind, added.name FROM added WHERE added.kind IN (${kinds}) ORDER BY added.kind, added.name
    LOOP
      IF (
        SELECT COUNT(*) FROM claim_changes c WHERE c.kind = resource.kind AND c.name = resource.name
      ) > ${changesMost} AND pg_try_advisory_xact_lock(
        hashtextextended('total ' || resource.kind || ' ' || resource.name, 0)
      ) THEN
        WITH moved AS (
          DELETE FROM claim_changes c WHERE c.kind = resource.kind AND c.name = resource.name RETURNING c.amount
        )
        INSERT INTO claim_totals (kind, name, amount)
          SELECT resource.kind, resource.name, COALESCE(SUM(moved.amount), 0) FROM moved
          ON CONFLICT (kind, name) DO UPDATE SET amount = claim_totals.amount + excluded.amount;
      END IF;
    END LOOP;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION geoswap_claims_removed () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO claim_changes (kind, name, amount)
      SELECT removed.kind, removed.name, - SUM(removed.amount::numeric) FROM removed WHERE removed.kind IN (${kinds})
      GROUP BY removed.kind, removed.name;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER geoswap_claims_added AFTER INSERT ON claims
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION geoswap_claims_added()`,
  `CREATE TRIGGER geoswap_claims_removed AFTER DELETE ON claims
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION geoswap_claims_removed()`
]

/** SQLite: the total is the sum of all claims. Each transaction that adds or removes claims changes it (see claimTotals.ts). */
export const sqlite: ReadonlyArray<string> = [
  ...common(" WITHOUT ROWID"),
  `CREATE TABLE claim_totals (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    amount TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) WITHOUT ROWID`
]
