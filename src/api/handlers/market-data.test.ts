import assert from 'node:assert/strict';
import type { FastifyReply } from 'fastify';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { principalOf } from '../../../test/support/workspaces/workspaces.ts';
import { ALL_LICENSES, ANONYMOUS, type Principal } from '../../access/index.ts';
import type { WarehouseReference } from '../../contract/index.ts';
import { type Database, systemClock } from '../../platform/index.ts';
import {
  createSnapshotExports,
  createSourceRegistry,
  type ReadWindow,
  readSnapshot,
  type SeriesSource,
  snapshotMigrations,
} from '../../snapshots/index.ts';
import type { RenderedBody } from '../responses.ts';
import { marketDataHandlers } from './market-data.ts';

const SOURCE: WarehouseReference = {
  type: 'warehouse_table',
  table: 'local.flights',
  time_field: 'date',
  value_field: 'delay',
};

function openReader(database: Database) {
  const windows: ReadWindow[] = [];
  const source: Partial<SeriesSource<WarehouseReference>> = {
    type: 'warehouse_table',
    canonical: (reference) => reference,
    authorize: async () => {},
    async read(reference, window) {
      windows.push(window);
      return {
        table: { timestamps: Float64Array.of(0, 86_400_000), columns: { delay: Float64Array.of(1, 2) } },
        cadence: { frequency: '1D', kind: 'plain' },
        valueField: 'delay',
        provider: 'local',
        estimatedBytes: 1_234,
        about: { source: reference, units: '', frequency: '1D' },
      };
    },
  };
  const context = { database, clock: systemClock };
  const sources = createSourceRegistry([source as SeriesSource]);
  const parts = { ...context, sources, licenses: ALL_LICENSES, exports: createSnapshotExports(context) };
  async function read(body: object, principal: Principal = ANONYMOUS) {
    const call = { parts, principal, body: { source: SOURCE, format: 'json', ...body }, signal: undefined };
    const rendered = await marketDataHandlers.readObservations(call as never);
    return collect(rendered as RenderedBody);
  }
  return { context, windows, read };
}

async function collect(body: RenderedBody): Promise<{ headers: Record<string, string>; text: string }> {
  const sent = { headers: {}, chunks: null as unknown };
  const reply = {
    headers: (headers: object) => Object.assign(sent.headers, headers),
    send: (chunks: unknown) => {
      sent.chunks = chunks;
    },
  };
  body.send(reply as unknown as FastifyReply);
  const chunks: Buffer[] = [];
  if (Buffer.isBuffer(sent.chunks)) chunks.push(sent.chunks);
  else for await (const chunk of sent.chunks as AsyncIterable<Buffer>) chunks.push(chunk);
  return { headers: sent.headers, text: Buffer.concat(chunks).toString() };
}

const OPTIONS = { migrations: [snapshotMigrations] };

forEachDatabase('states the estimated bytes of a read, but not of a snapshot', OPTIONS, async ({ database }) => {
  const { context, read, windows } = openReader(database);
  const first = JSON.parse((await read({})).text);
  assert.equal(first.estimated_bytes, 1_234);
  assert.equal(first.count, 2);
  const csv = await read({ format: 'csv' });
  assert.equal(csv.headers['x-estimated-bytes'], '1234');
  const stored = await readSnapshot(context, first.snapshot_id);
  assert.doesNotMatch(JSON.stringify(stored?.about), /estimated|1234/);
  const again = JSON.parse((await read({ snapshot_id: first.snapshot_id })).text);
  assert.equal(again.count, 2);
  assert.ok(!('estimated_bytes' in again));
  const file = await read({ snapshot_id: first.snapshot_id, format: 'csv' });
  assert.ok(!('x-estimated-bytes' in file.headers));
  assert.equal(windows.length, 2);
});

forEachDatabase('reads observations for the account of the caller', OPTIONS, async ({ database }) => {
  const { read, windows } = openReader(database);
  await read({}, principalOf({ id: 'acc_1', email: 'a@b.example' }));
  await read({}, { kind: 'guest', guestId: 'guest_1' });
  await read({});
  assert.deepEqual(
    windows.map(({ accountId }) => accountId),
    ['acc_1', undefined, undefined],
  );
});
