import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeAccount } from '../../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../../test/support/identity/identity.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../../../test/support/platform/database.ts';
import { makeCsvFile } from '../../../../test/support/workspaces/csv-files.ts';
import { makeWorkspace, principalOf } from '../../../../test/support/workspaces/workspaces.ts';
import { DAY_MS } from '../../../calendar/index.ts';
import { MIGRATIONS } from '../../../compose/index.ts';
import { runMetered } from '../../../platform/index.ts';
import { findReferencedFile } from '../find-csv-file.ts';
import type { CsvFileRow } from '../tables.ts';
import { findNumberColumn, findTimeColumn } from './find-columns.ts';
import { LatestRows } from './latest-rows.ts';
import type { CollectedRows } from './read-cells.ts';
import { readSeries } from './read-series.ts';

const ROWS = 6_000;
const FIRST = Date.UTC(2000, 0, 1);
/** Wide enough that the rows take several chunks. */
const NOTE = 'x'.repeat(600);
/** Every tenth row has no value. */
const lines = Array.from({ length: ROWS }, (_, row) => {
  const day = new Date(FIRST + row * DAY_MS).toISOString().slice(0, 10);
  return `${NOTE},${row % 10 === 3 ? '' : row},${day}`;
});

let fixture: TestDatabase;
const files: Record<string, CsvFileRow> = {};

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { database } = fixture;
  const owner = principalOf(await makeAccount(movableIdentity(database), { password: null }));
  const workspace = await makeWorkspace(database, owner.accountId);
  const mixed = lines.toSpliced(10, 2, lines[11] as string, lines[10] as string);
  for (const [name, rows] of Object.entries({ ascending: lines, descending: lines.toReversed(), mixed })) {
    const id = await makeCsvFile(database, workspace.id, owner.accountId, `note,value,day\n${rows.join('\n')}\n`);
    files[name] = (await findReferencedFile(database, workspace.id, id)) as CsvFileRow;
  }
});
after(() => fixture?.[Symbol.asyncDispose]());

function columnsOf({ columns }: CsvFileRow) {
  return { time: findTimeColumn(columns, 'day'), value: findNumberColumn(columns, 'value') };
}

/** Returns the last `limit` rows before an instant. */
function lastBefore({ times, values, lines }: CollectedRows, instant: number, limit: number) {
  const end = times.findIndex((time) => time >= instant);
  const [from, to] = [Math.max(0, (end < 0 ? times.length : end) - limit), end < 0 ? times.length : end];
  return [times, values, lines].map((column) => [...column.slice(from, to)]);
}

test('stores the order of times with a file', () => {
  const orders = Object.entries(files).map(([name, { columns }]) => [name, columns[2]?.order]);
  assert.deepEqual(orders, [
    ['ascending', 'ascending'],
    ['descending', 'descending'],
    ['mixed', undefined],
  ]);
});

for (const order of ['ascending', 'descending'] as const) {
  test(`reads the same rows as from the whole file, but only as many as needed (${order})`, async () => {
    const { database } = fixture;
    const file = files[order] as CsvFileRow;
    const columns = columnsOf(file);
    const { rows: whole } = await readSeries(database, file, columns);
    assert.equal(whole.times.length, ROWS - ROWS / 10);
    const read = async (before: number) => {
      const meter = { rows: 0 };
      const rows = await runMetered(meter, () =>
        new LatestRows(database, file, columns, { order }).read({ latest: 50, before, limit: 40 }),
      );
      assert.deepEqual(lastBefore(rows, Number.POSITIVE_INFINITY, 50), lastBefore(whole, Number.POSITIVE_INFINITY, 50));
      assert.deepEqual(lastBefore(rows, before, 40), lastBefore(whole, before, 40));
      return { meter, rows };
    };
    const { meter } = await read(Number.POSITIVE_INFINITY);
    assert.ok(meter.rows < ROWS / 2, `${meter.rows} of ${ROWS} rows were read`);
    const early = await read(FIRST + 1_000 * DAY_MS);
    assert.ok(early.rows.times.length < whole.times.length, 'rows between the cutoff and the latest are left out');
    await read(FIRST + 20 * DAY_MS);
    await read(FIRST - DAY_MS);
  });
}
