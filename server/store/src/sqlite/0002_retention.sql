-- What forges delivered is kept for a while, and found by its age.
CREATE INDEX deliveries_by_time ON deliveries (received_at);
CREATE INDEX deliveries_by_branch ON deliveries (business_id, branch, id);
-- The sources of builds that gave no IR, for whoever looks into why; for a while, and the newest few of each business.
CREATE TABLE kept_sources (
    business_id TEXT NOT NULL,
    build_id TEXT NOT NULL,
    files TEXT NOT NULL,
    kept_until INTEGER NOT NULL,
    PRIMARY KEY (business_id, build_id)
) STRICT;
CREATE INDEX kept_sources_by_end ON kept_sources (kept_until);
