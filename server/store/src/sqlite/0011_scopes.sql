-- The meters whose usage a bucket pays for, as a JSON array; none where it pays for all usage.
ALTER TABLE buckets ADD COLUMN meters TEXT;
