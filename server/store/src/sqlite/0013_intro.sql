-- What is left of a subscription's introductory fee, as JSON; none where it was given none.
ALTER TABLE subscriptions ADD COLUMN intro TEXT;
