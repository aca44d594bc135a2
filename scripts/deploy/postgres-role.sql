-- The role of `atpoint serve --no-migrate`: it reads and writes rows, and makes, changes and drops nothing. To be run after
-- `atpoint migrate`, by the role that has run it and will run it again: later tables are then covered.
create role atpoint_serve login password 'change-me';
-- As DATABASE_TIMEOUT_MS, which PgBouncer does not pass on.
alter role atpoint_serve set statement_timeout = '5s';
grant usage on schema public to atpoint_serve;
grant select, insert, update, delete on all tables in schema public to atpoint_serve;
alter default privileges in schema public grant select, insert, update, delete on tables to atpoint_serve;
revoke insert, update, delete on knex_migrations, knex_migrations_lock from atpoint_serve;
