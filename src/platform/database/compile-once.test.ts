import assert from 'node:assert/strict';
import { type Kysely, sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { compileOnce } from './compile-once.ts';

interface Tables {
  thing: { id: number; label: string | null; at: Date };
}

forEachDatabase('builds a query once and runs it with the values of each call', {}, async ({ database }) => {
  await sql`create table thing (id int primary key, label text, at timestamptz not null)`.execute(database.query());
  let built = 0;
  const insert = compileOnce((db: Kysely<Tables>, values: { id: number; label: string | null; at: Date }) => {
    built += 1;
    const { id, label, at } = values;
    return db.insertInto('thing').values({ id, label, at }).returning(['id']);
  });
  const find = compileOnce((db: Kysely<Tables>, { label, since }: { label: string; since: Date }) =>
    db
      .selectFrom('thing')
      .select(['id', 'label', 'at'])
      .where((eb) => eb.or([eb('label', '=', label), eb('id', '=', 3)]))
      .where('at', '>=', since)
      .orderBy('id'),
  );
  const early = new Date('2026-01-01T00:00:00.000Z');
  const late = new Date('2026-02-01T00:00:00.000Z');
  assert.deepEqual(await insert(database, { id: 1, label: "it's $1", at: early }), [{ id: 1 }]);
  await insert(database, { id: 2, label: null, at: early });
  await database.transaction((tx) => insert(tx, { id: 3, label: 'c', at: late }));
  assert.equal(built, 1);

  const [first, third] = [
    { id: 1, label: "it's $1", at: early },
    { id: 3, label: 'c', at: late },
  ];
  assert.deepEqual(await find(database, { label: "it's $1", since: early }), [first, third]);
  assert.deepEqual(await find(database, { label: "it's $1", since: late }), [third]);
  assert.deepEqual(await find(database, { label: 'none', since: new Date('2027-01-01T00:00:00.000Z') }), []);
});
