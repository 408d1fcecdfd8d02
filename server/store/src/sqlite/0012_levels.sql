-- Of a level that lasts: what is to be added to it × time since the period's start; and up to when a window's levels have held.
ALTER TABLE window_levels ADD COLUMN area TEXT;
ALTER TABLE windows ADD COLUMN rated_until INTEGER;
