-- What of a hold's estimate no bucket covers, where the plan refuses what goes too far.
ALTER TABLE holds ADD COLUMN owed_nanos TEXT NOT NULL DEFAULT '0';
-- How many of a resource a subject has, by what its requests did.
CREATE TABLE resource_counts (
    business_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    resource TEXT NOT NULL,
    count BIGINT NOT NULL CHECK (count >= 0),
    PRIMARY KEY (business_id, subject, resource)
);
-- Requests under way that are to change such a count. One whose gateway was killed counts until its time is over.
CREATE TABLE resource_changes (
    business_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    resource TEXT NOT NULL,
    id TEXT NOT NULL,
    effect TEXT NOT NULL CHECK (effect IN ('create', 'delete')),
    expires_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, subject, resource, id)
);
-- How far subjects' rate limits are used up, where several gateways share them: units in billionths times microseconds, and when that was so.
CREATE TABLE rate_levels (
    business_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    dimension TEXT NOT NULL,
    level TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (business_id, subject, dimension)
);
