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
  ) WITHOUT ROWID;

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
    amount TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) WITHOUT ROWID;
