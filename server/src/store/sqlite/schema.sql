-- Version 1. Money and quantities are decimal texts of integers (SQLite's own integers end at 64 bits); times are
-- microseconds since 1970 in UTC.
CREATE TABLE businesses (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    business_id TEXT NOT NULL REFERENCES businesses (id),
    subject TEXT,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE builds (
    id TEXT PRIMARY KEY,
    business_id TEXT NOT NULL REFERENCES businesses (id),
    ir_hash TEXT,
    ir TEXT,
    diagnostics TEXT NOT NULL,
    failure TEXT,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE releases (
    id TEXT PRIMARY KEY,
    business_id TEXT NOT NULL REFERENCES businesses (id),
    build_id TEXT NOT NULL REFERENCES builds (id),
    ir_hash TEXT NOT NULL,
    ir TEXT NOT NULL,
    activated_at INTEGER
) STRICT;

CREATE TABLE active_releases (
    business_id TEXT PRIMARY KEY REFERENCES businesses (id),
    release_id TEXT NOT NULL REFERENCES releases (id)
) STRICT;

CREATE TABLE projections (
    release_id TEXT NOT NULL REFERENCES releases (id),
    plan TEXT NOT NULL,
    business_id TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    plan_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (release_id, plan)
) STRICT;
CREATE INDEX projections_by_version ON projections (business_id, plan, version);

CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY,
    business_id TEXT NOT NULL REFERENCES businesses (id),
    subject TEXT NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    plan_version INTEGER NOT NULL,
    recurring_fee_cents INTEGER NOT NULL CHECK (recurring_fee_cents >= 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    started_at INTEGER NOT NULL,
    cancelled_at INTEGER,
    granted_period INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_live_subscription ON subscriptions (business_id, subject) WHERE cancelled_at IS NULL;

CREATE TABLE windows (
    id TEXT PRIMARY KEY,
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id),
    period INTEGER NOT NULL,
    window_start INTEGER NOT NULL,
    window_end INTEGER NOT NULL CHECK (window_end > window_start),
    release_id TEXT NOT NULL,
    charge_count INTEGER NOT NULL CHECK (charge_count >= 0),
    rated_nanos TEXT NOT NULL
) STRICT;
CREATE INDEX windows_by_period ON windows (subscription_id, period);

CREATE TABLE window_quantities (
    window_id TEXT NOT NULL REFERENCES windows (id),
    meter TEXT NOT NULL,
    steps TEXT NOT NULL,
    PRIMARY KEY (window_id, meter)
) STRICT, WITHOUT ROWID;

CREATE TABLE window_keys (
    window_id TEXT NOT NULL REFERENCES windows (id),
    meter TEXT NOT NULL,
    unique_key TEXT NOT NULL,
    PRIMARY KEY (window_id, meter, unique_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_items (
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id),
    id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    charges INTEGER NOT NULL,
    PRIMARY KEY (subscription_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE charges (
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id),
    id TEXT NOT NULL,
    window_id TEXT NOT NULL REFERENCES windows (id),
    meter TEXT NOT NULL,
    steps TEXT NOT NULL,
    admitted_at INTEGER NOT NULL,
    occurred_at INTEGER,
    charge_nanos TEXT NOT NULL,
    remainder_nanos TEXT NOT NULL,
    PRIMARY KEY (subscription_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_transactions (
    id TEXT PRIMARY KEY,
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id),
    period INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE ledger_postings (
    transaction_id TEXT NOT NULL REFERENCES ledger_transactions (id),
    line INTEGER NOT NULL,
    account TEXT NOT NULL,
    amount_nanos TEXT NOT NULL,
    cause TEXT NOT NULL,
    PRIMARY KEY (transaction_id, line)
) STRICT, WITHOUT ROWID;

-- The ledger is append-only, whoever writes.
CREATE TRIGGER ledger_transactions_no_update BEFORE UPDATE ON ledger_transactions BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_transactions_no_delete BEFORE DELETE ON ledger_transactions BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_postings_no_update BEFORE UPDATE ON ledger_postings BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_postings_no_delete BEFORE DELETE ON ledger_postings BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE period_totals (
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id),
    period INTEGER NOT NULL,
    funded_nanos TEXT NOT NULL,
    receivable_nanos TEXT NOT NULL,
    PRIMARY KEY (subscription_id, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE buckets (
    id TEXT PRIMARY KEY,
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id),
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    granted_nanos TEXT NOT NULL,
    remaining_nanos TEXT NOT NULL,
    held_nanos TEXT NOT NULL,
    consumed_nanos TEXT NOT NULL,
    expires_at INTEGER,
    display TEXT
) STRICT;
CREATE INDEX buckets_by_subscription ON buckets (subscription_id);
