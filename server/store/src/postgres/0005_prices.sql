-- Units of a level that a pool made free.
ALTER TABLE window_levels ADD COLUMN pooled_steps TEXT NOT NULL DEFAULT '0';
