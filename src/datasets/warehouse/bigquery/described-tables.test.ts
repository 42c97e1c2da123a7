import assert from 'node:assert/strict';
import { movableClock } from '../../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import { datasetMigrations } from '../../migrations/index.ts';
import type { WarehouseColumn, WarehouseTable } from '../engine.ts';
import { createDescribedTables, removeLeastDescribed } from './described-tables.ts';

const OPTIONS = { migrations: [datasetMigrations] };
const MINUTE = 60_000;
const COLUMNS: readonly WarehouseColumn[] = [
  { name: 'date', kind: 'date', type: 'DATE' },
  { name: 'mean', kind: 'number', type: 'FLOAT64', description: 'The mean\nof the day' },
];

function makeTable(name: string, fields: Partial<WarehouseTable> = {}): WarehouseTable {
  return {
    name: `bigquery-public-data.weather.${name}`,
    title: 'Weather',
    columns: COLUMNS,
    rows: 3,
    ranges: new Map(),
    lastUpdate: null,
    publisher: 'Google',
    license: { name: 'not stated', url: null },
    notes: null,
    ...fields,
  };
}

forEachDatabase('keeps what the search needs of a table', OPTIONS, async ({ database }) => {
  const { record, list } = createDescribedTables({ database, clock: movableClock() });
  const other: WarehouseColumn = { name: 'tags', kind: 'other', type: 'ARRAY<STRING>' };
  const long: WarehouseColumn = { name: 'x', kind: 'text', type: 'STRING', description: `${'x'.repeat(199)}\u{1f600}` };
  await record(makeTable('daily', { columns: [other, ...COLUMNS, long] }));
  const [table] = await list();
  assert.deepEqual(
    { ...table },
    {
      name: 'bigquery-public-data.weather.daily',
      title: 'Weather',
      publisher: 'Google',
      rows: 3,
      ranges: new Map(),
      columns: [
        COLUMNS[0],
        { ...COLUMNS[1], description: 'The mean of the day' },
        { ...long, description: `${'x'.repeat(199)}\ufffd` },
      ],
    },
  );
});

forEachDatabase('writes a table once an hour, in all processes', OPTIONS, async ({ database }) => {
  const clock = movableClock();
  const [one, other] = [createDescribedTables({ database, clock }), createDescribedTables({ database, clock })];
  const titles = async () => (await one.list()).map(({ title }) => title);
  await one.record(makeTable('daily'));
  clock.advance(60 * MINUTE - 1);
  await one.record(makeTable('daily', { title: 'Climate' }));
  await other.record(makeTable('daily', { title: 'Climate' }));
  assert.deepEqual(await titles(), ['Weather']);
  clock.advance(1);
  await one.record(makeTable('daily', { title: 'Climate' }));
  assert.deepEqual(await titles(), ['Climate']);
  clock.advance(-600 * MINUTE);
  await one.record(makeTable('daily', { title: 'After the clock was set back' }));
  assert.deepEqual(await titles(), ['After the clock was set back']);
});

forEachDatabase('has another version when its entries change', OPTIONS, async ({ database }) => {
  const clock = movableClock();
  const { record, forget, version } = createDescribedTables({ database, clock });
  const seen = new Set<string>();
  const isNew = async () => seen.size < seen.add(await version()).size;
  assert.ok(await isNew());
  await record(makeTable('daily'));
  assert.ok(await isNew(), 'a new table');
  clock.advance(61 * MINUTE);
  await record(makeTable('daily', { rows: 4 }));
  assert.equal(await isNew(), false, 'more rows');
  clock.advance(61 * MINUTE);
  await record(makeTable('daily', { columns: COLUMNS.slice(0, 1) }));
  assert.ok(await isNew(), 'other columns');
  await record(makeTable('hourly'));
  assert.ok(await isNew(), 'another table');
  await forget(makeTable('daily').name);
  assert.ok(await isNew(), 'a table less');
  await record(makeTable('daily'));
  assert.ok(await isNew(), 'a table that exists again');
});

forEachDatabase('keeps the tables that were described last', OPTIONS, async ({ database }) => {
  const clock = movableClock();
  const { record, list } = createDescribedTables({ database, clock });
  for (const name of ['c', 'a', 'b']) {
    clock.advance(MINUTE);
    await record(makeTable(name));
  }
  await removeLeastDescribed({ database });
  assert.equal((await list()).length, 3);
  await removeLeastDescribed({ database }, { maxTables: 2 });
  assert.deepEqual(
    (await list()).map(({ name }) => name.at(-1)),
    ['a', 'b'],
  );
});
