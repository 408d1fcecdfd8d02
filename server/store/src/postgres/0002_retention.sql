-- What forges delivered is kept for a while, and found by its age.
CREATE INDEX deliveries_by_time ON deliveries (received_at);
