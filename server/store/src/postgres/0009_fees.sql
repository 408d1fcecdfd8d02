-- When a subscription's fee is charged, and a period's part in it, as JSON; none for those from before: each fee with its period.
ALTER TABLE subscriptions ADD COLUMN fee_terms TEXT;
ALTER TABLE periods ADD COLUMN fee TEXT;
