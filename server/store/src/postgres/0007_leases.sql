-- How low a limit's level was since each gateway's lease of it: what was leased for nothing is taken back by no more.
-- What a level is kept under has the limit's rate and interval from now on; what is there of the old names is never asked for.
ALTER TABLE rate_levels ADD COLUMN lowest TEXT NOT NULL DEFAULT '{}';
