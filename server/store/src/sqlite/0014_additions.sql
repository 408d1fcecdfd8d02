-- Whether a migration, and each subscription's move by it, leaves the fee as it was agreed to.
ALTER TABLE migrations ADD COLUMN keeps_fee INTEGER;
ALTER TABLE transitions ADD COLUMN keeps_fee INTEGER;
