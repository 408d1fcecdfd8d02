-- Version 1. Money and quantities are decimal texts of integers, exact at any width; times are UTC with microseconds.
--
-- Two kinds of tables. Those of the money path have the business first in every key, so that an engine may keep each business's rows together on
-- a node of its own (`distributed.sql`). Queues, and what is looked up by something else than its business, stay on one node; nothing of
-- theirs refers to the former, since no engine follows such a reference over nodes.

CREATE TABLE businesses (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE tokens (
    hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
    business_id TEXT NOT NULL,
    subject TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ
);

-- A subscriber's ways to their page: links for one use, and the sessions that they began. Secrets are kept as hashes.
CREATE TABLE portal_sessions (
    business_id TEXT NOT NULL,
    link_hash BYTEA NOT NULL CHECK (length(link_hash) = 32),
    subject TEXT NOT NULL,
    return_url TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    link_expires_at TIMESTAMPTZ NOT NULL,
    session_hash BYTEA CHECK (length(session_hash) = 32),
    session_expires_at TIMESTAMPTZ,
    PRIMARY KEY (business_id, link_hash),
    UNIQUE (business_id, session_hash),
    CHECK ((session_hash IS NULL) = (session_expires_at IS NULL))
);
CREATE INDEX portal_sessions_made ON portal_sessions (business_id, created_at);

-- How a business's portal page looks, where it was told.
CREATE TABLE portal_looks (
    business_id TEXT PRIMARY KEY,
    name TEXT,
    accent_light TEXT,
    accent_dark TEXT
);

-- Answers that were given, for those who ask again with the same key.
CREATE TABLE remembered (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    answer TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, scope, key)
);

-- A build waits while it has no diagnostics; a server that works on it holds a lease. One that a push asked for has a commit, and no
-- files until they are fetched.
CREATE TABLE builds (
    id TEXT PRIMARY KEY,
    business_id TEXT NOT NULL,
    base_hash TEXT,
    files TEXT,
    attempts BIGINT NOT NULL CHECK (attempts >= 0),
    leased_until TIMESTAMPTZ,
    ir_hash TEXT,
    ir TEXT,
    diagnostics TEXT,
    failure TEXT,
    failure_message TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    commit_id TEXT,
    CHECK (files IS NULL OR diagnostics IS NULL),
    CHECK (files IS NOT NULL OR diagnostics IS NOT NULL OR commit_id IS NOT NULL),
    CHECK ((ir IS NULL) = (ir_hash IS NULL)),
    CHECK ((failure IS NULL) = (failure_message IS NULL))
);
CREATE INDEX builds_waiting ON builds (business_id, created_at) WHERE diagnostics IS NULL;

-- Where a business's product is pushed to: one repository of one forge. Token and secrets are sealed before they come here.
CREATE TABLE sources (
    business_id TEXT PRIMARY KEY,
    forge TEXT NOT NULL CHECK (forge IN ('github', 'gitlab', 'gitea')),
    api_base TEXT NOT NULL,
    repository TEXT NOT NULL,
    folder TEXT NOT NULL,
    branch TEXT,
    sealed_token BYTEA NOT NULL,
    sealed_secret BYTEA NOT NULL,
    sealed_previous BYTEA,
    previous_until TIMESTAMPTZ,
    -- Of the push that was accepted last, and of the newest one that was published.
    position BIGINT NOT NULL CHECK (position >= 0),
    published_position BIGINT NOT NULL CHECK (published_position >= 0),
    created_at TIMESTAMPTZ NOT NULL,
    CHECK ((sealed_previous IS NULL) = (previous_until IS NULL))
);

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
    received_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, delivery_id)
);
CREATE UNIQUE INDEX deliveries_by_age ON deliveries (business_id, id);
CREATE INDEX deliveries_by_commit ON deliveries (business_id, commit_id);

-- A build that a push asked for. It waits to be fetched, is built in the queue of builds, has ended, and is done when it was published
-- or compared.
CREATE TABLE pushes (
    business_id TEXT NOT NULL,
    build_id TEXT NOT NULL REFERENCES builds (id),
    position BIGINT NOT NULL CHECK (position > 0),
    branch TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    before_id TEXT,
    files_url TEXT NOT NULL,
    committed_at TIMESTAMPTZ NOT NULL,
    publishes BIGINT NOT NULL CHECK (publishes IN (0, 1)),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'building', 'ended', 'done')),
    rebuilds BIGINT NOT NULL CHECK (rebuilds >= 0),
    attempts BIGINT NOT NULL CHECK (attempts >= 0),
    due_at TIMESTAMPTZ NOT NULL,
    leased_until TIMESTAMPTZ,
    outcome TEXT CHECK (outcome IN ('published', 'compared', 'superseded', 'refused', 'failed')),
    summary TEXT,
    excerpts TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, build_id),
    UNIQUE (business_id, position),
    CHECK ((state = 'done') = (outcome IS NOT NULL))
);
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
    revision BIGINT NOT NULL CHECK (revision > 0),
    sent_revision BIGINT NOT NULL CHECK (sent_revision >= 0),
    attempts BIGINT NOT NULL CHECK (attempts >= 0),
    due_at TIMESTAMPTZ NOT NULL,
    leased_until TIMESTAMPTZ,
    gave_up TEXT,
    PRIMARY KEY (business_id, commit_id, context)
);
CREATE INDEX status_reports_due ON status_reports (business_id, due_at) WHERE sent_revision < revision AND gave_up IS NULL;

CREATE TABLE releases (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    id TEXT NOT NULL,
    build_id TEXT NOT NULL,
    ir_hash TEXT NOT NULL,
    ir TEXT NOT NULL,
    activated_at TIMESTAMPTZ,
    PRIMARY KEY (business_id, id)
);

CREATE TABLE active_releases (
    business_id TEXT PRIMARY KEY REFERENCES businesses (id),
    release_id TEXT NOT NULL,
    FOREIGN KEY (business_id, release_id) REFERENCES releases (business_id, id)
);

CREATE TABLE projections (
    business_id TEXT NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0),
    plan_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (business_id, release_id, plan),
    FOREIGN KEY (business_id, release_id) REFERENCES releases (business_id, id)
);
CREATE INDEX projections_by_version ON projections (business_id, plan, version);

CREATE TABLE subscriptions (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    id TEXT NOT NULL,
    subject TEXT NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    plan_version BIGINT NOT NULL CHECK (plan_version > 0),
    recurring_fee_cents BIGINT NOT NULL CHECK (recurring_fee_cents >= 0),
    next_fee_cents BIGINT CHECK (next_fee_cents >= 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    started_at TIMESTAMPTZ NOT NULL,
    anchor_at TIMESTAMPTZ NOT NULL,
    anchor_period BIGINT NOT NULL CHECK (anchor_period >= 0),
    served_since TIMESTAMPTZ NOT NULL,
    trial_ends_at TIMESTAMPTZ,
    cancel_at TIMESTAMPTZ,
    cancelled_at TIMESTAMPTZ,
    -- When time next does something to it: a period, bucket or hold ends, a transition falls due.
    next_due_at TIMESTAMPTZ,
    period BIGINT NOT NULL CHECK (period >= 0),
    -- How many buckets its subject was given, over all subscriptions.
    buckets_given BIGINT NOT NULL CHECK (buckets_given >= 0),
    PRIMARY KEY (business_id, id)
);
CREATE UNIQUE INDEX one_live_subscription ON subscriptions (business_id, subject) WHERE cancelled_at IS NULL;
CREATE INDEX subscriptions_by_subject ON subscriptions (business_id, subject);
CREATE INDEX subscriptions_due ON subscriptions (business_id, next_due_at);
CREATE INDEX subscriptions_due_anywhere ON subscriptions (next_due_at);
CREATE INDEX subscriptions_by_plan ON subscriptions (business_id, plan, plan_version);

CREATE TABLE periods (
    business_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period BIGINT NOT NULL CHECK (period >= 0),
    period_start TIMESTAMPTZ NOT NULL,
    -- Earlier than planned where the subscription ended in it.
    period_end TIMESTAMPTZ NOT NULL,
    planned_end TIMESTAMPTZ NOT NULL,
    -- Its start, or the end of a trial.
    charged_from TIMESTAMPTZ NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    -- The pin that it began with, and the fee that the rest of it is paid at.
    recurring_fee_cents BIGINT NOT NULL CHECK (recurring_fee_cents >= 0),
    current_fee_cents BIGINT NOT NULL CHECK (current_fee_cents >= 0),
    receivable_nanos TEXT NOT NULL,
    fee_adjustment_nanos TEXT NOT NULL,
    funded_nanos TEXT NOT NULL,
    prepaid_nanos TEXT NOT NULL,
    owed_nanos TEXT NOT NULL,
    unbilled_nanos TEXT NOT NULL,
    -- How many charges and voids it has: the position of the next one.
    entries BIGINT NOT NULL CHECK (entries >= 0),
    invoice_id TEXT,
    PRIMARY KEY (business_id, subscription_id, period),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id),
    CHECK (period_end >= period_start AND planned_end >= period_end)
);

CREATE INDEX periods_unclosed ON periods (period_end) WHERE invoice_id IS NULL;

CREATE TABLE windows (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period BIGINT NOT NULL,
    window_start TIMESTAMPTZ NOT NULL,
    window_end TIMESTAMPTZ NOT NULL,
    release_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    charge_count BIGINT NOT NULL CHECK (charge_count >= 0),
    rated_nanos TEXT NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id),
    CHECK (window_end >= window_start)
);
CREATE INDEX windows_by_period ON windows (business_id, subscription_id, period);

-- The level that each meter has reached in a window, counted over the whole period.
CREATE TABLE window_levels (
    business_id TEXT NOT NULL,
    window_id TEXT NOT NULL,
    meter TEXT NOT NULL,
    steps TEXT NOT NULL CHECK (steps NOT LIKE '-%'),
    as_of TIMESTAMPTZ,
    PRIMARY KEY (business_id, window_id, meter),
    FOREIGN KEY (business_id, window_id) REFERENCES windows (business_id, id)
);

CREATE TABLE period_keys (
    business_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period BIGINT NOT NULL,
    meter TEXT NOT NULL,
    unique_key TEXT NOT NULL,
    PRIMARY KEY (business_id, subscription_id, period, meter, unique_key),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
);

-- An item's id is its subject's, for good, over all subscriptions.
CREATE TABLE usage_items (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    subject TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    charges BIGINT NOT NULL CHECK (charges >= 0),
    attempt BIGINT NOT NULL CHECK (attempt > 0),
    refunded_by TEXT,
    PRIMARY KEY (business_id, subject, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
);

-- What a period is rated from: charges, and what voids them, in one append-only list.
CREATE TABLE charges (
    business_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period BIGINT NOT NULL,
    position BIGINT NOT NULL CHECK (position >= 0),
    id TEXT NOT NULL,
    attempt BIGINT NOT NULL CHECK (attempt > 0),
    item TEXT NOT NULL,
    -- The adjustment that takes the charge of this item, attempt and meter out again; nothing where this is the charge.
    voided_by TEXT,
    window_id TEXT NOT NULL,
    meter TEXT NOT NULL,
    steps TEXT NOT NULL CHECK (steps NOT LIKE '-%'),
    unique_key TEXT,
    admitted_at TIMESTAMPTZ NOT NULL,
    occurred_at TIMESTAMPTZ,
    charge_nanos TEXT NOT NULL,
    remainder_nanos TEXT NOT NULL,
    transaction_id TEXT,
    PRIMARY KEY (business_id, subscription_id, period, position),
    FOREIGN KEY (business_id, window_id) REFERENCES windows (business_id, id)
);
CREATE UNIQUE INDEX one_charge ON charges (business_id, subscription_id, item, attempt, meter) WHERE voided_by IS NULL;
CREATE UNIQUE INDEX one_void ON charges (business_id, subscription_id, item, attempt, meter) WHERE voided_by IS NOT NULL;
CREATE INDEX charges_by_meter ON charges (business_id, subscription_id, period, meter);

CREATE TABLE buckets (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    -- How many its subject was given before it.
    number BIGINT NOT NULL CHECK (number >= 0),
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
    last_period BIGINT,
    expires_at TIMESTAMPTZ,
    display TEXT,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
);
CREATE INDEX buckets_by_subscription ON buckets (business_id, subscription_id);

CREATE TABLE holds (
    business_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    parts TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'released')),
    expires_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, subscription_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
);
CREATE INDEX holds_open ON holds (business_id, subscription_id) WHERE state = 'open';

CREATE TABLE adjustments (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    body TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
);

CREATE TABLE invoices (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    number BIGINT NOT NULL CHECK (number > 0),
    subscription_id TEXT NOT NULL,
    period BIGINT NOT NULL,
    closed_at TIMESTAMPTZ NOT NULL,
    total_cents TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (business_id, id),
    UNIQUE (business_id, subscription_id, period),
    UNIQUE (business_id, number),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
);

-- Invoices and credit notes of a business are numbered from 1 without gaps.
CREATE TABLE invoice_numbers (
    business_id TEXT PRIMARY KEY REFERENCES businesses (id),
    last BIGINT NOT NULL CHECK (last > 0)
);

-- Jobs that one server at a time does.
CREATE TABLE leases (
    job TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    leased_until TIMESTAMPTZ NOT NULL
);

-- Who is told of a business's events: an address, and what they are signed with, sealed before it comes here.
CREATE TABLE event_receivers (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    -- The types that it is told of, with commas between; nothing for all.
    types TEXT,
    sealed_secret BYTEA NOT NULL,
    sealed_previous BYTEA,
    previous_until TIMESTAMPTZ,
    -- Why nothing is sent to it any more.
    stopped TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, id),
    CHECK ((sealed_previous IS NULL) = (previous_until IS NULL))
);

-- What happened, written in the transaction in which it did. The events of one stream, such as a subscription, have an order.
CREATE TABLE events (
    business_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    sequence BIGINT NOT NULL CHECK (sequence > 0),
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, stream, sequence)
);
CREATE UNIQUE INDEX events_by_id ON events (business_id, id);
CREATE INDEX events_by_age ON events (created_at);

-- An event on its way to a receiver: at least once, and those of a stream one behind the other.
CREATE TABLE event_deliveries (
    business_id TEXT NOT NULL,
    receiver_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempts BIGINT NOT NULL CHECK (attempts >= 0),
    due_at TIMESTAMPTZ NOT NULL,
    leased_until TIMESTAMPTZ,
    -- What the last try that failed came to.
    problem TEXT,
    PRIMARY KEY (business_id, receiver_id, stream, sequence),
    FOREIGN KEY (business_id, receiver_id) REFERENCES event_receivers (business_id, id) ON DELETE CASCADE,
    FOREIGN KEY (business_id, stream, sequence) REFERENCES events (business_id, stream, sequence) ON DELETE CASCADE
);
CREATE INDEX event_deliveries_due ON event_deliveries (due_at) WHERE state = 'waiting';
CREATE INDEX event_deliveries_under_way ON event_deliveries (business_id, receiver_id, leased_until)
    WHERE state = 'waiting' AND leased_until IS NOT NULL;
CREATE INDEX event_deliveries_by_event ON event_deliveries (business_id, stream, sequence);

CREATE TABLE migrations (
    business_id TEXT NOT NULL REFERENCES businesses (id),
    id TEXT NOT NULL,
    plan TEXT NOT NULL,
    from_version BIGINT NOT NULL,
    to_version BIGINT NOT NULL,
    to_release TEXT NOT NULL,
    policy TEXT NOT NULL CHECK (policy IN ('next_renewal', 'immediate', 'by_date', 'opt_in')),
    proration TEXT NOT NULL CHECK (proration IN ('none', 'prorate', 'credit')),
    complete_by TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, to_release) REFERENCES releases (business_id, id)
);

CREATE TABLE transitions (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    -- The migration that it is part of; nothing where a subscription changes its plan.
    migration_id TEXT,
    subscription_id TEXT NOT NULL,
    to_release TEXT NOT NULL,
    to_plan TEXT NOT NULL,
    proration TEXT NOT NULL,
    due_at TIMESTAMPTZ,
    state TEXT NOT NULL CHECK (state IN ('offered', 'pending', 'applied', 'superseded', 'dropped')),
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, migration_id) REFERENCES migrations (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id)
);
CREATE UNIQUE INDEX one_open_transition ON transitions (business_id, subscription_id) WHERE state IN ('offered', 'pending');
CREATE INDEX transitions_by_migration ON transitions (business_id, migration_id);

-- The ledger. A transaction is one row with all its postings, `[[account, nanos, cause], …]`; it is refused unless they sum to zero. Nothing is
-- ever changed.
CREATE FUNCTION ledger_is_balanced(postings TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
    SELECT COUNT(*) >= 2 AND COALESCE(SUM(CASE WHEN is_amount THEN (p ->> 1)::numeric END) = 0, false) AND bool_and(is_amount)
    FROM json_array_elements(postings::json) p, LATERAL (SELECT p ->> 1 ~ '^-?[1-9][0-9]{0,38}$' AND json_array_length(p) = 3 AS is_amount) a
$$;
CREATE TABLE ledger_transactions (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    period BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    postings TEXT NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, subscription_id) REFERENCES subscriptions (business_id, id),
    CONSTRAINT ledger_transaction_has_postings_that_sum_to_zero CHECK (ledger_is_balanced(postings))
);
CREATE INDEX ledger_by_subscription ON ledger_transactions (business_id, subscription_id, id);

CREATE VIEW ledger_postings AS
    SELECT t.business_id, t.subscription_id, t.period, t.id AS transaction_id, p.place - 1 AS line,
        p.posting ->> 0 AS account, p.posting ->> 1 AS amount_nanos, p.posting ->> 2 AS cause
    FROM ledger_transactions t CROSS JOIN LATERAL json_array_elements(t.postings::json) WITH ORDINALITY p (posting, place);

-- A second guard beside the privileges of the server's role; an engine that distributes tables has none.
CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only';
END $$;
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
