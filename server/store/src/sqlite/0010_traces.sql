-- The trace of what asked for a build, or made something happen, as `traceparent` says it: what is done later is a part of it. None for
-- those from before, and where nobody asked.
ALTER TABLE builds ADD COLUMN trace TEXT;
ALTER TABLE events ADD COLUMN trace TEXT;
