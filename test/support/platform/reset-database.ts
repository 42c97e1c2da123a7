import { sql } from 'kysely';
import type { Database } from '../../../src/platform/database/index.ts';

/** Records the state of the database in the database itself: its tables and their few rows. */
export async function markState(database: Database): Promise<void> {
  await sql`
    do $do$ declare one record; has_rows boolean; deletes text := ''; begin
      drop schema if exists test_mark cascade;
      create schema test_mark;
      for one in select format('%I.%I', schemaname, tablename) as name, row_number() over () as n
        from pg_tables where schemaname not in ('pg_catalog', 'information_schema', 'test_mark')
      loop
        deletes := deletes || format('if exists (select from %s) then delete from %s; end if; ', one.name, one.name);
        execute format('select exists (select from %s)', one.name) into has_rows;
        if has_rows then
          execute format('create table test_mark.rows_%s as table %s', one.n, one.name);
          execute format('comment on table test_mark.rows_%s is %L', one.n, one.name);
        end if;
      end loop;
      -- A function, which keeps the plans of its statements.
      execute format('create function test_mark.empty() returns void language plpgsql as %L', 'begin ' || deletes || 'end');
    end $do$`.execute(database.query());
  await sql`
    create table test_mark.state as select ${await objectsOf(database)}::text as objects,
      (select array_agg(oid) from pg_namespace) as schemas, (select coalesce(array_agg(oid), '{}') from pg_class where oid >= 16384) as relations`.execute(
    database.query(),
  );
}

/**
 * Drops the schemas, tables and views of the test, empties every other table and restores the recorded rows, many times
 * faster than opening another database.
 * @returns whether the recorded state is restored; false after a test that changed tables or created functions
 */
export async function resetToMark(database: Database): Promise<boolean> {
  await sql`
    do $do$ declare one record; begin
      set local session_replication_role = replica; -- foreign keys require no order
      for one in select nspname as name from pg_namespace n, test_mark.state m
        where n.oid <> all (m.schemas) and nspname not like 'pg\\_%' and nspname <> 'test_mark'
      loop
        execute format('drop schema %I cascade', one.name);
      end loop;
      for one in select format('%I.%I', nspname, relname) as name,
          case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where relkind in ('r', 'p', 'v', 'm', 'S') and nspname <> 'test_mark'
          and c.oid >= 16384 and c.oid not in (select unnest(relations) from test_mark.state)
      loop
        execute format('drop %s if exists %s cascade', one.kind, one.name);
      end loop;
      perform test_mark.empty();
      for one in select c.relname as kept, obj_description(c.oid) as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'test_mark' and c.relname like 'rows\_%'
      loop
        execute format('insert into %s overriding system value table test_mark.%I', one.name, one.kept);
      end loop;
      for one in select format('%I.%I', schemaname, sequencename) as name
        from pg_sequences where last_value is not null
      loop
        execute format('alter sequence %s restart', one.name);
      end loop;
    end $do$`.execute(database.query());
  const { rows } = await sql<{ objects: string }>`select objects from test_mark.state`.execute(database.query());
  return (await objectsOf(database)) === rows[0]?.objects;
}

/** Returns a hash of all tables, indexes, sequences, views, columns and constraints. Any change to them changes it. */
async function objectsOf(database: Database): Promise<string> {
  const { rows } = await sql<{ objects: string }>`
    select md5(
      (select coalesce(string_agg(concat_ws(' ', c.oid, c.relnatts, c.relchecks), ',' order by c.oid), '')
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname not like 'pg\_%' and n.nspname not in ('information_schema', 'test_mark'))
      || (select coalesce(string_agg(concat_ws(' ', t.oid, t.tgenabled), ',' order by t.oid), '') from pg_trigger t)
      || (select coalesce(string_agg(oid::text, ',' order by oid), '') from pg_constraint)
      || (select coalesce(string_agg(oid::text, ',' order by oid), '') from pg_proc
        where oid >= 16384 and pronamespace <> 'test_mark'::regnamespace)
      || (select coalesce(string_agg(oid::text, ',' order by oid), '') from pg_type
        where oid >= 16384 and typtype in ('e', 'd', 'r'))
    ) as objects`.execute(database.query());
  return rows[0]?.objects ?? '';
}
