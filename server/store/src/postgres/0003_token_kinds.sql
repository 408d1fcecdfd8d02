-- What a token opens. Nothing where a server of before this step made it: a portal token where it has a subject, else a deploy token.
ALTER TABLE tokens ADD COLUMN kind TEXT;
