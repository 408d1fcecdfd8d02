-- As in PostgreSQL's. A column whose default is made for each row can't be added here, so that the table is laid anew.
CREATE TABLE tokens_4 (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    business_id TEXT NOT NULL,
    subject TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    kind TEXT,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    is_marked INTEGER NOT NULL CHECK (is_marked IN (0, 1)),
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;
INSERT INTO tokens_4 (hash, business_id, subject, created_at, expires_at, kind, id, name, is_marked)
    SELECT hash, business_id, subject, created_at, expires_at, kind, 'tok_' || lower(hex(randomblob(16))),
        COALESCE(kind, CASE WHEN subject IS NULL THEN 'deploy' ELSE 'portal' END), 0 FROM tokens;
DROP TABLE tokens;
ALTER TABLE tokens_4 RENAME TO tokens;
CREATE UNIQUE INDEX tokens_by_business ON tokens (business_id, id);
CREATE INDEX tokens_by_subject ON tokens (business_id, subject, id) WHERE subject IS NOT NULL;
CREATE INDEX tokens_revoked ON tokens (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX tokens_unmarked ON tokens (hash) WHERE is_marked = 0;

CREATE TABLE service_keys (
    purpose TEXT PRIMARY KEY,
    key BLOB NOT NULL
) STRICT;

CREATE TABLE audit_log (
    business_id TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor_kind TEXT NOT NULL,
    actor TEXT,
    actor_name TEXT,
    action TEXT NOT NULL,
    target TEXT,
    detail TEXT,
    PRIMARY KEY (business_id, id)
) STRICT;
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
