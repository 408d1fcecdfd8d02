-- Tokens have ids and names, so that they can be listed and taken back. Those that are not marked were made before the service marked
-- its tokens' texts. An operator's token is of no business, which an empty text stands for.
ALTER TABLE tokens ADD COLUMN id TEXT NOT NULL DEFAULT 'tok_' || replace(gen_random_uuid()::text, '-', '');
ALTER TABLE tokens ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN is_marked BIGINT NOT NULL DEFAULT 0 CHECK (is_marked IN (0, 1));
ALTER TABLE tokens ADD COLUMN last_used_at TIMESTAMPTZ;
ALTER TABLE tokens ADD COLUMN revoked_at TIMESTAMPTZ;
UPDATE tokens SET name = COALESCE(kind, CASE WHEN subject IS NULL THEN 'deploy' ELSE 'portal' END);
CREATE UNIQUE INDEX tokens_by_business ON tokens (business_id, id);
CREATE INDEX tokens_by_subject ON tokens (business_id, subject, id) WHERE subject IS NOT NULL;
CREATE INDEX tokens_revoked ON tokens (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX tokens_unmarked ON tokens (hash) WHERE is_marked = 0;

-- Keys of the service's own, which all its servers share.
CREATE TABLE service_keys (
    purpose TEXT PRIMARY KEY,
    key BYTEA NOT NULL
);

-- Who did what. Nothing is ever changed.
CREATE TABLE audit_log (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    actor_kind TEXT NOT NULL,
    actor TEXT,
    actor_name TEXT,
    action TEXT NOT NULL,
    target TEXT,
    detail TEXT,
    PRIMARY KEY (business_id, id)
);

-- A second guard beside the privileges of the server's role; an engine that distributes tables has none.
CREATE OR REPLACE FUNCTION audit_log_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse();
