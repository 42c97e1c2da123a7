import assert from 'node:assert/strict';
import { test } from 'node:test';
import { principalOf } from '../../../test/support/workspaces/workspaces.ts';
import { DAY_MS } from '../../calendar/index.ts';
import type { ModelCheckpoint } from '../../compute/index.ts';
import { ForecastRequestBody, type WarehouseReference } from '../../contract/index.ts';
import { createSourceRegistry, type ReadWindow, type SeriesSource, type SourceRows } from '../../snapshots/index.ts';
import type { ForecastContext } from '../context.ts';
import { viewSettings } from '../view-forecast.ts';
import { acceptRequest } from './accept-request.ts';
import { readSourceInput } from './read-input.ts';

const SOURCE: WarehouseReference = {
  type: 'warehouse_table',
  table: 'local.flights',
  time_field: 'date',
  value_field: 'delay',
};
const ACCOUNT = principalOf({ id: 'acc_1', email: 'a@b.example' });
const DAYS = 200;
const CHECKPOINTS = new Map([['ets', { id: 'ets@1' } as ModelCheckpoint]]);

/** A source that records the windows of its reads. */
function openSource(more: Partial<SeriesSource<WarehouseReference>> = {}, estimatedBytes: number | undefined = 0) {
  const windows: Partial<ReadWindow>[] = [];
  const rows: SourceRows = {
    table: {
      timestamps: Float64Array.from({ length: DAYS }, (_, i) => i * DAY_MS),
      columns: { delay: Float64Array.from({ length: DAYS }, (_, i) => Math.sin(i)) },
    },
    cadence: { frequency: '1D', kind: 'plain' },
    valueField: 'delay',
    provider: 'local',
    ...(estimatedBytes !== undefined && { estimatedBytes }),
    about: { source: SOURCE },
  };
  const source = {
    type: 'warehouse_table',
    authorize: async () => {},
    async read(_reference: WarehouseReference, window: ReadWindow) {
      windows.push(window);
      return rows;
    },
    ...more,
  };
  const clock = { now: () => new Date(1_000 * DAY_MS) };
  const context = { sources: createSourceRegistry([source as SeriesSource]), clock } as unknown as ForecastContext;
  return { windows, rows, context };
}

const parse = (fields: object) => ForecastRequestBody.parse({ source: SOURCE, horizon: 3, models: ['ets'], ...fields });

test('every read of a new forecast is for the account of its creator', async () => {
  const { context, windows, rows } = openSource();
  await readSourceInput(context, ACCOUNT, parse({}), SOURCE);
  await readSourceInput(context, ACCOUNT, parse({ cutoff: 5 }), SOURCE);
  const { context: known, windows: knownWindows } = openSource({ vintageAt: async () => '1970-05-01' });
  await readSourceInput(known, ACCOUNT, parse({ cutoff: 5, as_known_at_cutoff: true }), SOURCE);
  const { context: before, windows: beforeWindows } = openSource({
    async readDaysBefore(_reference, window) {
      beforeWindows.push(window);
      return { ...rows, cutoff: 100 * DAY_MS };
    },
  });
  await readSourceInput(before, ACCOUNT, parse({ cutoff: 5 }), SOURCE);
  const all = [...windows, ...knownWindows, ...beforeWindows];
  assert.deepEqual(
    all.map(({ accountId }) => accountId),
    Array.from({ length: 6 }, () => 'acc_1'),
  );
  await readSourceInput(context, { kind: 'guest', guestId: 'guest_1' }, parse({}), SOURCE);
  assert.equal(windows.at(-1)?.accountId, undefined);
});

test('the settings of a forecast have the estimated bytes of its read, even if they are 0', async () => {
  const settingsOf = async (bytes: number | undefined) => {
    const { context } = openSource({}, bytes);
    const input = await readSourceInput(context, ACCOUNT, parse({}), SOURCE);
    assert.ok(!('estimatedBytes' in input.about));
    return viewSettings(acceptRequest(parse({}), input, CHECKPOINTS).settings);
  };
  assert.equal((await settingsOf(8_192)).estimated_bytes, 8_192);
  assert.equal((await settingsOf(0)).estimated_bytes, 0);
  assert.equal((await settingsOf(8_192)).source?.type, 'warehouse_table');
});

test('the settings of a forecast of another source have no estimated bytes', async () => {
  const { context, rows } = openSource();
  const { estimatedBytes: _, ...plain } = rows;
  const source = { type: 'warehouse_table', authorize: async () => {}, read: async () => plain };
  const other = { ...context, sources: createSourceRegistry([source as unknown as SeriesSource]) };
  const input = await readSourceInput(other, ACCOUNT, parse({}), SOURCE);
  assert.ok(!('estimatedBytes' in input));
  assert.ok(!('estimated_bytes' in viewSettings(acceptRequest(parse({}), input, CHECKPOINTS).settings)));
});
