-- Version 1. Money and quantities are decimal texts of integers, exact at any width; times are microseconds since 1970 in UTC.
--
-- Two kinds of tables. Those of the money path have the business first in every key, so that an engine may keep each business's rows together on
-- a node of its own (PostgreSQL's `distributed.sql`). Queues, and what is looked up by something else than its business, stay on one node; nothing of
-- theirs refers to the former, since no engine follows such a reference over nodes.

-- When a server last worked with the file, by its clock: one that starts with a clock far from it is refused.
CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    last_at INTEGER NOT NULL
) STRICT;

CREATE TABLE businesses (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    business_id TEXT NOT NULL,
    subject TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT;

-- A subscriber's ways to their page: links for one use, and the sessions that they began. Secrets are kept as hashes.
CREATE TABLE portal_sessions (
    business_id TEXT NOT NULL,
    link_hash BLOB NOT NULL CHECK (length(link_hash) = 32),
    subject TEXT NOT NULL,
    return_url TEXT,
    created_at INTEGER NOT NULL,
    link_expires_at INTEGER NOT NULL,
    session_hash BLOB CHECK (length(session_hash) = 32),
    session_expires_at INTEGER,
    PRIMARY KEY (business_id, link_hash),
    UNIQUE (business_id, session_hash),
    CHECK ((session_hash IS NULL) = (session_expires_at IS NULL))
) STRICT;
CREATE INDEX portal_sessions_made ON portal_sessions (business_id, created_at);

-- How a business's portal page looks, where it was told.
CREATE TABLE portal_looks (
    business_id TEXT PRIMARY KEY,
    name TEXT,
    accent_light TEXT,
    accent_dark TEXT
) STRICT;

-- Answers that were given, for those who ask again with the same key.
CREATE TABLE remembered (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    answer TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (business_id, scope, key)
) STRICT, WITHOUT ROWID;

-- A build waits while it has no diagnostics; a server that works on it holds a lease. One that a push asked for has a commit, and no
-- files until they are fetched.
CREATE TABLE builds (
    id TEXT PRIMARY KEY,
    business_id TEXT NOT NULL,
    base_hash TEXT,
    files TEXT,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    leased_until INTEGER,
    ir_hash TEXT,
    ir TEXT,
    diagnostics TEXT,
    failure TEXT,
    failure_message TEXT,
    created_at INTEGER NOT NULL,
    commit_id TEXT,
    CHECK (files IS NULL OR diagnostics IS NULL),
    CHECK (files IS NOT NULL OR diagnostics IS NOT NULL OR commit_id IS NOT NULL),
    CHECK ((ir IS NULL) = (ir_hash IS NULL)),
    CHECK ((failure IS NULL) = (failure_message IS NULL))
) STRICT;
CREATE INDEX builds_waiting ON builds (business_id, created_at) WHERE diagnostics IS NULL;

-- Where a business's product is pushed to: one repository of one forge. Token and secrets are sealed before they come here.
CREATE TABLE sources (
    business_id TEXT PRIMARY KEY,
    forge TEXT NOT NULL CHECK (forge IN ('github', 'gitlab', 'gitea')),
    api_base TEXT NOT NULL,
    repository TEXT NOT NULL,
    folder TEXT NOT NULL,
    branch TEXT,
    sealed_token BLOB NOT NULL,
    sealed_secret BLOB NOT NULL,
    sealed_previous BLOB,
    previous_until INTEGER,
    -- Of the push that was accepted last, and of the newest one that was published.
    position INTEGER NOT NULL CHECK (position >= 0),
    published_position INTEGER NOT NULL CHECK (published_position >= 0),
    created_at INTEGER NOT NULL,
    CHECK ((sealed_previous IS NULL) = (previous_until IS NULL))
) STRICT;

-- What a forge delivered, and what became of it: the same delivery again gets the same answer.
CREATE TABLE deliveries (
    business_id TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    id TEXT NOT NULL,
    event TEXT NOT NULL,
    branch TEXT,
    commit_id TEXT,
    outcome TEXT NOT NULL CHECK (outcome IN ('queued', 'unchanged', 'skipped')),
    reason TEXT NOT NULL,
    build_id TEXT,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (business_id, delivery_id)
) STRICT;
CREATE UNIQUE INDEX deliveries_by_age ON deliveries (business_id, id);
CREATE INDEX deliveries_by_commit ON deliveries (business_id, commit_id);

-- A build that a push asked for. It waits to be fetched, is built in the queue of builds, has ended, and is done when it was published
-- or compared.
CREATE TABLE pushes (
    business_id TEXT NOT NULL,
    build_id TEXT NOT NULL REFERENCES builds (id),
    position INTEGER NOT NULL CHECK (position > 0),
    branch TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    before_id TEXT,
    files_url TEXT NOT NULL,
    committed_at INTEGER NOT NULL,
    publishes INTEGER NOT NULL CHECK (publishes IN (0, 1)),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'building', 'ended', 'done')),
    rebuilds INTEGER NOT NULL CHECK (rebuilds >= 0),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    due_at INTEGER NOT NULL,
    leased_until INTEGER,
    outcome TEXT CHECK (outcome IN ('published', 'compared', 'superseded', 'refused', 'failed')),
    summary TEXT,
    excerpts TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (business_id, build_id),
    UNIQUE (business_id, position),
    CHECK ((state = 'done') = (outcome IS NOT NULL))
) STRICT;
CREATE INDEX pushes_by_branch ON pushes (business_id, branch, position);
CREATE INDEX pushes_by_commit ON pushes (business_id, commit_id);
CREATE INDEX pushes_due ON pushes (business_id, due_at) WHERE state IN ('waiting', 'ended');

-- What a commit's status is to say: the newest revision is sent at least once, older ones may be left out.
CREATE TABLE status_reports (
    business_id TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    context TEXT NOT NULL,
    build_id TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'success', 'failure', 'error', 'superseded')),
    description TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK (revision > 0),
    sent_revision INTEGER NOT NULL CHECK (sent_revision >= 0),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    due_at INTEGER NOT NULL,
    leased_until INTEGER,
    gave_up TEXT,
    PRIMARY KEY (business_id, commit_id, context)
) STRICT;
CREATE INDEX status_reports_due ON status_reports (business_id, due_at) WHERE sent_revision < revision AND gave_up IS NULL;

CREATE TABLE releases (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    id TEXT NOT NULL,
    build_id TEXT NOT NULL,
    ir_hash TEXT NOT NULL,
    ir TEXT NOT NULL,
    activated_at INTEGER,
    PRIMARY KEY (business_id, id)
) STRICT;

CREATE TABLE active_releases (
    business_id TEXT PRIMARY KEY REFERENCES businesses (id),
    release_id TEXT NOT NULL,
    FOREIGN KEY (business_id, release_id) REFERENCES releases (business_id, id)
) STRICT;

CREATE TABLE projections (
    business_id TEXT NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    plan_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (business_id, release_id, plan),
    FOREIGN KEY (business_id, release_id) REFERENCES releases (business_id, id)
) STRICT;
CREATE INDEX projections_by_version ON projections (business_id, plan, version);

CREATE TABLE subscriptions (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    id TEXT NOT NULL,
    subject TEXT NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    plan_version INTEGER NOT NULL CHECK (plan_version > 0),
    recurring_fee_cents INTEGER NOT NULL CHECK (recurring_fee_cents >= 0),
    next_fee_cents INTEGER CHECK (next_fee_cents >= 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    started_at INTEGER NOT NULL,
    anchor_at INTEGER NOT NULL,
    anchor_period INTEGER NOT NULL CHECK (anchor_period >= 0),
    served_since INTEGER NOT NULL,
    trial_ends_at INTEGER,
    cancel_at INTEGER,
    cancelled_at INTEGER,
    -- When time next does something to it: a period, bucket or hold ends, a transition falls due.
    next_due_at INTEGER,
    period INTEGER NOT NULL CHECK (period >= 0),
    -- How many buckets its subject was given, over all subscriptions.
    buckets_given INTEGER NOT NULL CHECK (buckets_given >= 0),
    PRIMARY KEY (business_id, id)
) STRICT;
CREATE UNIQUE INDEX one_live_subscription ON subscriptions (business_id, subject) WHERE cancelled_at IS NULL;
CREATE INDEX subscriptions_by_subject ON subscriptions (business_id, subject);
CREATE INDEX subscriptions_due ON subscriptions (business_id, next_due_at);
CREATE INDEX subscriptions_due_anywhere ON subscriptions (next_due_at);
CREATE INDEX subscriptions_by_plan ON subscriptions (business_id, plan, plan_version);

CREATE TABLE periods (
    business_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period INTEGER NOT NULL CHECK (period >= 0),
    period_start INTEGER NOT NULL,
    -- Earlier than planned where the subscription ended in it.
    period_end INTEGER NOT NULL,
    planned_end INTEGER NOT NULL,
    -- Its start, or the end of a trial.
    charged_from INTEGER NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    -- The pin that it began with, and the fee that the rest of it is paid at.
    recurring_fee_cents INTEGER NOT NULL CHECK (recurring_fee_cents >= 0),
    current_fee_cents INTEGER NOT NULL CHECK (current_fee_cents >= 0),
    receivable_nanos TEXT NOT NULL,
    fee_adjustment_nanos TEXT NOT NULL,
    funded_nanos TEXT NOT NULL,
    prepaid_nanos TEXT NOT NULL,
    owed_nanos TEXT NOT NULL,
    unbilled_nanos TEXT NOT NULL,
    -- How many charges and voids it has: the position of the next one.
    entries INTEGER NOT NULL CHECK (entries >= 0),
    invoice_id TEXT,
    PRIMARY KEY (business_id, subscription_id, period),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id),
    CHECK (period_end >= period_start AND planned_end >= period_end)
) STRICT, WITHOUT ROWID;

CREATE INDEX periods_unclosed ON periods (period_end) WHERE invoice_id IS NULL;

CREATE TABLE windows (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period INTEGER NOT NULL,
    window_start INTEGER NOT NULL,
    window_end INTEGER NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    charge_count INTEGER NOT NULL CHECK (charge_count >= 0),
    rated_nanos TEXT NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id),
    CHECK (window_end >= window_start)
) STRICT;
CREATE INDEX windows_by_period ON windows (business_id, subscription_id, period);

-- The level that each meter has reached in a window, counted over the whole period.
CREATE TABLE window_levels (
    business_id TEXT NOT NULL,
    window_id TEXT NOT NULL,
    meter TEXT NOT NULL,
    steps TEXT NOT NULL CHECK (steps NOT LIKE '-%'),
    as_of INTEGER,
    PRIMARY KEY (business_id, window_id, meter),
    FOREIGN KEY (business_id, window_id) REFERENCES windows (business_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE period_keys (
    business_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period INTEGER NOT NULL,
    meter TEXT NOT NULL,
    unique_key TEXT NOT NULL,
    PRIMARY KEY (business_id, subscription_id, period, meter, unique_key),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
) STRICT, WITHOUT ROWID;

-- An item's id is its subject's, for good, over all subscriptions.
CREATE TABLE usage_items (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    subject TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    charges INTEGER NOT NULL CHECK (charges >= 0),
    attempt INTEGER NOT NULL CHECK (attempt > 0),
    refunded_by TEXT,
    PRIMARY KEY (business_id, subject, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
) STRICT, WITHOUT ROWID;

-- What a period is rated from: charges, and what voids them, in one append-only list.
CREATE TABLE charges (
    business_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period INTEGER NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    id TEXT NOT NULL,
    attempt INTEGER NOT NULL CHECK (attempt > 0),
    item TEXT NOT NULL,
    -- The adjustment that takes the charge of this item, attempt and meter out again; nothing where this is the charge.
    voided_by TEXT,
    window_id TEXT NOT NULL,
    meter TEXT NOT NULL,
    steps TEXT NOT NULL CHECK (steps NOT LIKE '-%'),
    unique_key TEXT,
    admitted_at INTEGER NOT NULL,
    occurred_at INTEGER,
    charge_nanos TEXT NOT NULL,
    remainder_nanos TEXT NOT NULL,
    transaction_id TEXT,
    PRIMARY KEY (business_id, subscription_id, period, position),
    FOREIGN KEY (business_id, window_id) REFERENCES windows (business_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_charge ON charges (business_id, subscription_id, item, attempt, meter) WHERE voided_by IS NULL;
CREATE UNIQUE INDEX one_void ON charges (business_id, subscription_id, item, attempt, meter) WHERE voided_by IS NOT NULL;
CREATE INDEX charges_by_meter ON charges (business_id, subscription_id, period, meter);

CREATE TABLE buckets (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    -- How many its subject was given before it.
    number INTEGER NOT NULL CHECK (number >= 0),
    origin TEXT NOT NULL CHECK (origin IN ('plan', 'period', 'given', 'top_up', 'move', 'transfer')),
    kind TEXT NOT NULL CHECK (kind IN ('included', 'promo', 'prepaid', 'referral')),
    state TEXT NOT NULL CHECK (state IN ('AVAILABLE', 'EXHAUSTED', 'EXPIRED', 'REVOKED')),
    granted_nanos TEXT NOT NULL CHECK (granted_nanos NOT LIKE '-%'),
    remaining_nanos TEXT NOT NULL CHECK (remaining_nanos NOT LIKE '-%'),
    held_nanos TEXT NOT NULL CHECK (held_nanos NOT LIKE '-%'),
    consumed_nanos TEXT NOT NULL CHECK (consumed_nanos NOT LIKE '-%'),
    -- What it has paid for usage of the open period.
    paid_nanos TEXT NOT NULL CHECK (paid_nanos NOT LIKE '-%'),
    price_nanos TEXT,
    -- The last period in which something is or was in it; nothing while something is. Later ones leave it alone.
    last_period INTEGER,
    expires_at INTEGER,
    display TEXT,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
) STRICT;
CREATE INDEX buckets_by_subscription ON buckets (business_id, subscription_id);

CREATE TABLE holds (
    business_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    parts TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'released')),
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (business_id, subscription_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX holds_open ON holds (business_id, subscription_id) WHERE state = 'open';

CREATE TABLE adjustments (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
) STRICT;

CREATE TABLE invoices (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    subscription_id TEXT NOT NULL,
    period INTEGER NOT NULL,
    closed_at INTEGER NOT NULL,
    total_cents TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (business_id, id),
    UNIQUE (business_id, subscription_id, period),
    UNIQUE (business_id, number),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
) STRICT;

-- Invoices and credit notes of a business are numbered from 1 without gaps.
CREATE TABLE invoice_numbers (
    business_id TEXT PRIMARY KEY REFERENCES businesses (id),
    last INTEGER NOT NULL CHECK (last > 0)
) STRICT;

-- Jobs that one server at a time does.
CREATE TABLE leases (
    job TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    leased_until INTEGER NOT NULL
) STRICT;

-- Who is told of a business's events: an address, and what they are signed with, sealed before it comes here.
CREATE TABLE event_receivers (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    -- The types that it is told of, with commas between; nothing for all.
    types TEXT,
    sealed_secret BLOB NOT NULL,
    sealed_previous BLOB,
    previous_until INTEGER,
    -- Why nothing is sent to it any more.
    stopped TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (business_id, id),
    CHECK ((sealed_previous IS NULL) = (previous_until IS NULL))
) STRICT;

-- What happened, written in the transaction in which it did. The events of one stream, such as a subscription, have an order.
CREATE TABLE events (
    business_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (business_id, stream, sequence)
) STRICT;
CREATE UNIQUE INDEX events_by_id ON events (business_id, id);
CREATE INDEX events_by_age ON events (created_at);

-- An event on its way to a receiver: at least once, and those of a stream one behind the other.
CREATE TABLE event_deliveries (
    business_id TEXT NOT NULL,
    receiver_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    due_at INTEGER NOT NULL,
    leased_until INTEGER,
    -- What the last try that failed came to.
    problem TEXT,
    PRIMARY KEY (business_id, receiver_id, stream, sequence),
    FOREIGN KEY (business_id, receiver_id) REFERENCES event_receivers (business_id, id) ON DELETE CASCADE,
    FOREIGN KEY (business_id, stream, sequence) REFERENCES events (business_id, stream, sequence) ON DELETE CASCADE
) STRICT;
CREATE INDEX event_deliveries_due ON event_deliveries (due_at) WHERE state = 'waiting';
CREATE INDEX event_deliveries_under_way ON event_deliveries (business_id, receiver_id, leased_until)
    WHERE state = 'waiting' AND leased_until IS NOT NULL;
CREATE INDEX event_deliveries_by_event ON event_deliveries (business_id, stream, sequence);

CREATE TABLE migrations (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    id TEXT NOT NULL,
    plan TEXT NOT NULL,
    from_version INTEGER NOT NULL,
    to_version INTEGER NOT NULL,
    to_release TEXT NOT NULL,
    policy TEXT NOT NULL CHECK (policy IN ('next_renewal', 'immediate', 'by_date', 'opt_in')),
    proration TEXT NOT NULL CHECK (proration IN ('none', 'prorate', 'credit')),
    complete_by INTEGER,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, to_release) REFERENCES releases (business_id, id)
) STRICT;

CREATE TABLE transitions (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    -- The migration that it is part of; nothing where a subscription changes its plan.
    migration_id TEXT,
    subscription_id TEXT NOT NULL,
    to_release TEXT NOT NULL,
    to_plan TEXT NOT NULL,
    proration TEXT NOT NULL,
    due_at INTEGER,
    state TEXT NOT NULL CHECK (state IN ('offered', 'pending', 'applied', 'superseded', 'dropped')),
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, migration_id) REFERENCES migrations (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
) STRICT;
CREATE UNIQUE INDEX one_open_transition ON transitions (business_id, subscription_id) WHERE state IN ('offered', 'pending');
CREATE INDEX transitions_by_migration ON transitions (business_id, migration_id);

-- The ledger. A transaction is one row with all its postings, `[[account, nanos, cause], …]`; it is refused unless they sum to zero. Nothing is
-- ever changed.
CREATE TABLE ledger_transactions (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period INTEGER NOT NULL,
    at INTEGER NOT NULL,
    postings TEXT NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
) STRICT;
CREATE INDEX ledger_by_subscription ON ledger_transactions (business_id, subscription_id, id);

CREATE VIEW ledger_postings AS
    SELECT t.business_id, t.subscription_id, t.period, t.id AS transaction_id, p.key AS line,
        json_extract(p.value, '$[0]') AS account, json_extract(p.value, '$[1]') AS amount_nanos, json_extract(p.value, '$[2]') AS cause
    FROM ledger_transactions t, json_each(t.postings) p;

-- An amount is 128 bits wide and SQLite's integers are 64: three parts of 13 digits each are added up beside each other.
CREATE TRIGGER ledger_balance BEFORE INSERT ON ledger_transactions
WHEN NOT EXISTS (
    WITH amounts AS (SELECT json_extract(value, '$[1]') AS amount, json_array_length(value) AS parts FROM json_each(NEW.postings)),
    signed AS (SELECT parts, CASE WHEN amount LIKE '-%' THEN -1 ELSE 1 END AS sign,
        CASE WHEN amount LIKE '-%' THEN substr(amount, 2) ELSE amount END AS digits FROM amounts),
    padded AS (SELECT sign, substr('000000000000000000000000000000000000000' || digits, -39) AS padded,
        parts = 3 AND length(digits) <= 39 AND digits GLOB '[1-9]*' AND NOT digits GLOB '*[^0-9]*' AS is_amount FROM signed),
    sums AS (SELECT COUNT(*) AS lines, MIN(is_amount) AS are_amounts, SUM(sign * CAST(substr(padded, 1, 13) AS INTEGER)) AS high,
        SUM(sign * CAST(substr(padded, 14, 13) AS INTEGER)) AS middle, SUM(sign * CAST(substr(padded, 27, 13) AS INTEGER)) AS low FROM padded)
    SELECT 1 FROM sums WHERE lines >= 2 AND are_amounts
    AND low % 10000000000000 = 0
    AND (middle + low / 10000000000000) % 10000000000000 = 0
    AND high + (middle + low / 10000000000000) / 10000000000000 = 0
)
BEGIN SELECT RAISE(ABORT, 'ledger_transaction_has_postings_that_sum_to_zero'); END;
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger_transactions BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger_transactions BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
