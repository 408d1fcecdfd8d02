-- The most of a month that a subscription has of its own, in cents, and what of it holds in each period; none where only the plan's does.
ALTER TABLE subscriptions ADD COLUMN own_most_cents INTEGER;
ALTER TABLE periods ADD COLUMN own_most_cents INTEGER;
