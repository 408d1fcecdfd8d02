-- The period in which a bucket was given: credit that is kept over periods ends later than its own.
ALTER TABLE buckets ADD COLUMN given_in INTEGER;
