CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
  );

CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    hash TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
  );

CREATE TABLE limit_demand (
    limit_key TEXT NOT NULL,
    replica TEXT NOT NULL,
    per_second DOUBLE PRECISION NOT NULL,
    valid_until BIGINT NOT NULL,
    PRIMARY KEY (limit_key, replica)
  );

CREATE TABLE swaps (
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
  );

CREATE INDEX swaps_by_time ON swaps (created_at, id);

CREATE INDEX swaps_open ON swaps (created_at, id, state) WHERE state NOT IN ('settled', 'failed', 'refunded');

CREATE INDEX swaps_fresh ON swaps (created_at, id) WHERE state NOT IN ('settled', 'failed', 'refunded') AND lease_until IS NULL;

CREATE INDEX swaps_held ON swaps (lease_until) WHERE state NOT IN ('settled', 'failed', 'refunded') AND lease_until IS NOT NULL;

CREATE INDEX swaps_in_flight ON swaps (origin_chain, wallet_key)
    WHERE state IN ('accepted', 'origin_prepared', 'origin_sent');

CREATE UNIQUE INDEX swaps_by_nonce ON swaps (origin_chain, wallet_key, operation_nonce) WHERE state <> 'failed';

CREATE TABLE swap_events (
    swap_id TEXT NOT NULL REFERENCES swaps (id),
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    state TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (swap_id, version)
  );

CREATE TABLE operation_indices (
    chain_id BIGINT NOT NULL,
    wallet TEXT NOT NULL,
    space TEXT NOT NULL,
    next_index BIGINT NOT NULL,
    PRIMARY KEY (chain_id, wallet, space)
  );

CREATE TABLE relayers (
    chain_id BIGINT NOT NULL,
    address TEXT NOT NULL,
    next_nonce BIGINT NOT NULL,
    retired_at BIGINT,
    PRIMARY KEY (chain_id, address)
  );

CREATE TABLE tx_intents (
    swap_id TEXT NOT NULL REFERENCES swaps (id),
    kind TEXT NOT NULL,
    chain_id BIGINT NOT NULL,
    signer TEXT NOT NULL,
    nonce BIGINT,
    PRIMARY KEY (swap_id, kind)
  );

CREATE UNIQUE INDEX tx_intents_by_nonce ON tx_intents (chain_id, signer, nonce) WHERE nonce IS NOT NULL;

CREATE TABLE tx_attempts (
    swap_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT NOT NULL,
    hash TEXT NOT NULL,
    raw TEXT NOT NULL,
    nonce BIGINT,
    max_fee_per_gas TEXT,
    max_priority_fee_per_gas TEXT,
    max_cost TEXT,
    last_valid_block_height TEXT,
    cancels BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (swap_id, kind, number),
    UNIQUE (swap_id, kind, hash),
    FOREIGN KEY (swap_id, kind) REFERENCES tx_intents (swap_id, kind)
  );

CREATE TABLE batches (
    chain_id BIGINT NOT NULL,
    signer TEXT NOT NULL,
    nonce BIGINT NOT NULL,
    newest_hash TEXT NOT NULL,
    PRIMARY KEY (chain_id, signer, nonce)
  );

CREATE TABLE batch_items (
    swap_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    chain_id BIGINT NOT NULL,
    signer TEXT NOT NULL,
    nonce BIGINT NOT NULL,
    PRIMARY KEY (swap_id, kind)
  );

CREATE INDEX batch_items_by_nonce ON batch_items (chain_id, signer, nonce);

CREATE TABLE spent_gas (
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
  );

CREATE TABLE lost_collections (
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
  );

CREATE INDEX lost_collections_by_time ON lost_collections (chain_id, at);

CREATE TABLE delegation_changes (
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
  );

CREATE UNIQUE INDEX delegation_changes_by_nonce ON delegation_changes (chain_id, wallet_key, nonce)
    WHERE state <> 'failed';

CREATE INDEX delegation_changes_by_account ON delegation_changes (account_id, created_at);

CREATE INDEX delegation_changes_open ON delegation_changes (chain_id, created_at, id)
    WHERE state IN ('accepted', 'sent');

CREATE TABLE delegation_attempts (
    change_id TEXT NOT NULL REFERENCES delegation_changes (id),
    signer TEXT NOT NULL,
    number BIGINT NOT NULL,
    hash TEXT NOT NULL,
    raw TEXT NOT NULL,
    nonce BIGINT,
    max_fee_per_gas TEXT,
    max_priority_fee_per_gas TEXT,
    max_cost TEXT,
    last_valid_block_height TEXT,
    cancels BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (change_id, number)
  );

CREATE INDEX delegation_attempts_by_nonce ON delegation_attempts (signer, nonce);

CREATE TABLE claims (
    swap_id TEXT NOT NULL,
    phase TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    amount TEXT NOT NULL,
    from_block BIGINT,
    until_block BIGINT,
    PRIMARY KEY (swap_id, phase, kind)
  );

CREATE INDEX claims_by_resource ON claims (kind, name) WHERE kind NOT IN ('account exposure', 'chain exposure', 'account value', 'refund', 'gas', 'output');

CREATE INDEX claims_by_arrival ON claims (name, from_block) WHERE kind = 'refund' AND from_block IS NOT NULL;

CREATE TABLE releases (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    block BIGINT NOT NULL,
    PRIMARY KEY (kind, name)
  );

CREATE TABLE claim_totals (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    amount NUMERIC NOT NULL,
    PRIMARY KEY (kind, name)
  );

CREATE TABLE claim_changes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    amount NUMERIC NOT NULL
  );

CREATE INDEX claim_changes_by_resource ON claim_changes (kind, name);

CREATE FUNCTION geoswap_claimed (of_kind TEXT, of_name TEXT) RETURNS NUMERIC LANGUAGE SQL STABLE AS $$
    SELECT COALESCE((SELECT t.amount FROM claim_totals t WHERE t.kind = of_kind AND t.name = of_name), 0)
      + COALESCE((SELECT SUM(c.amount) FROM claim_changes c WHERE c.kind = of_kind AND c.name = of_name), 0)
  $$;

CREATE FUNCTION geoswap_claims_added () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  DECLARE
    resource RECORD;
  BEGIN
    INSERT INTO claim_changes (kind, name, amount)
      SELECT added.kind, added.name, SUM(added.amount::numeric) FROM added WHERE added.kind IN ('account exposure', 'chain exposure', 'account value', 'refund', 'gas', 'output')
      GROUP BY added.kind, added.name;
    FOR resource IN
      SELECT DISTINCT added.kind, added.name FROM added WHERE added.kind IN ('account exposure', 'chain exposure', 'account value', 'refund', 'gas', 'output') ORDER BY added.kind, added.name
    LOOP
      IF (
        SELECT COUNT(*) FROM claim_changes c WHERE c.kind = resource.kind AND c.name = resource.name
      ) > 50 AND pg_try_advisory_xact_lock(
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
  END $$;

CREATE FUNCTION geoswap_claims_removed () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO claim_changes (kind, name, amount)
      SELECT removed.kind, removed.name, - SUM(removed.amount::numeric) FROM removed WHERE removed.kind IN ('account exposure', 'chain exposure', 'account value', 'refund', 'gas', 'output')
      GROUP BY removed.kind, removed.name;
    RETURN NULL;
  END $$;

CREATE TRIGGER geoswap_claims_added AFTER INSERT ON claims
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION geoswap_claims_added();

CREATE TRIGGER geoswap_claims_removed AFTER DELETE ON claims
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION geoswap_claims_removed();

CREATE FUNCTION geoswap_acceptance_facts (locks JSON, orders JSON, resources JSON) RETURNS JSON
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    entry RECORD;
  BEGIN
    FOR entry IN
      SELECT given.name, given.kind, given.resource, given.amount FROM json_to_recordset(locks::json) AS given (position BIGINT, name TEXT, kind TEXT, resource TEXT, amount NUMERIC) ORDER BY given.position
    LOOP
      IF entry.kind IS NULL OR (
        SELECT SUM(one.amount) FROM (SELECT kind, name, amount FROM claim_totals UNION ALL SELECT kind, name, amount FROM claim_changes) AS one WHERE one.kind = entry.kind AND one.name = entry.resource
      ) * 2 > entry.amount THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(entry.name, 0));
      END IF;
    END LOOP;
    RETURN json_build_object(
      'orders', (SELECT COALESCE(json_agg(one), '[]') FROM (SELECT given.position, swaps.id, swaps.account_id, swaps.operation_hash, CASE WHEN EXISTS (
      SELECT 1 FROM swaps AS same WHERE same.origin_chain = given.origin_chain AND same.wallet_key = given.wallet_key
      AND same.operation_nonce = given.operation_nonce AND same.state <> 'failed'
    ) THEN 1 ELSE 0 END AS nonce_used
    FROM json_to_recordset(orders::json) AS given (position BIGINT, order_id TEXT, origin_chain BIGINT, wallet_key TEXT, operation_nonce TEXT) LEFT JOIN swaps ON swaps.order_id = given.order_id) AS one),
      'usages', (SELECT COALESCE(json_agg(one), '[]') FROM (SELECT given.position,
      (SELECT SUM(one.amount::numeric)::text FROM claims AS one WHERE one.name = given.name AND one.kind = given.kind
        AND one.kind NOT IN ('account exposure', 'chain exposure', 'account value', 'refund', 'gas', 'output') AND (one.until_block IS NULL OR one.until_block > given.block)) AS used,
      (SELECT SUM(one.amount::numeric)::text FROM (SELECT kind, name, amount FROM claim_totals UNION ALL SELECT kind, name, amount FROM claim_changes) AS one WHERE one.name = given.name AND one.kind = given.kind) AS kept,
      (SELECT SUM(one.amount::numeric)::text FROM claims AS one WHERE one.name = given.name AND one.kind = 'refund'
        AND given.kind = 'vault' AND one.from_block > given.block) AS later,
      (SELECT CAST(one.block AS TEXT) FROM releases AS one WHERE one.name = given.name AND one.kind = given.kind) AS since
    FROM json_to_recordset(resources::json) AS given (position BIGINT, kind TEXT, name TEXT, block BIGINT)) AS one)
    );
  END $$;
