-- Creates the role of `atpoint serve --no-migrate`: it reads and writes rows, and creates, changes and drops no table. For psql 11
-- or newer, after `atpoint migrate`, as the role that ran it and will run it again, so that later tables are covered too:
--
--   psql -v password=… -f postgres-role.sql
--
-- All of it or nothing: psql stops at the first error and exits with 3.
\set ON_ERROR_STOP on
\if :{?password}
\else
do $$ begin raise exception 'The password of the new role is missing: psql -v password=… -f postgres-role.sql'; end $$;
\endif
begin;
do $$
declare
  owner text := (select pg_get_userbyid(relowner) from pg_class where oid = to_regclass('knex_migrations'));
begin
  if owner is null then
    raise exception 'There are no tables of Atpoint here: run "atpoint migrate" first, or name the right database.';
  elsif owner <> current_user then
    raise exception 'The tables belong to the role %, and this is %.', owner, current_user
      using hint = format('Connect as %s, which runs "atpoint migrate".', owner);
  elsif not (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) then
    raise exception 'The role % is not allowed to create roles.', current_user
      using hint = format('A superuser allows it with: alter role %1$I createrole; and afterwards takes it back with: alter role %1$I nocreaterole;', current_user);
  end if;
end $$;
create role atpoint_serve login password :'password';
-- As DATABASE_TIMEOUT_MS, which PgBouncer does not pass on.
alter role atpoint_serve set statement_timeout = '5s';
-- Row-level security is an error then, instead of lists without the rows that it hides.
alter role atpoint_serve set row_security = off;
grant usage on schema public to atpoint_serve;
grant select, insert, update, delete on all tables in schema public to atpoint_serve;
alter default privileges in schema public grant select, insert, update, delete on tables to atpoint_serve;
grant usage on all sequences in schema public to atpoint_serve;
alter default privileges in schema public grant usage on sequences to atpoint_serve;
revoke insert, update, delete on knex_migrations, knex_migrations_lock from atpoint_serve;
commit;
