import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANONYMOUS } from '../access/index.ts';
import { Fault, type PublicReference } from '../contract/index.ts';
import { createSourceRegistry, type SeriesSource } from '../snapshots/index.ts';
import { createSeriesPreviews, spreadValues } from './preview-series.ts';

const RATE: PublicReference = { type: 'economic_series', provider: 'bundled', series_id: 'rate' };
const TABLE: PublicReference = { type: 'warehouse_table', table: 'local.x', time_field: 't', value_field: 'v' };

/** Opens previews of one source in memory, with a clock that the test sets. */
function openPreviews(read: () => Promise<readonly number[]>, authorize: SeriesSource['authorize'] = async () => {}) {
  const scene = { now: 0, reads: 0 };
  const source: Pick<SeriesSource, 'type' | 'authorize' | 'read'> = {
    type: 'economic_series',
    authorize,
    async read() {
      scene.reads++;
      const values = Float64Array.from(await read());
      const table = { timestamps: Float64Array.from(values, (_, i) => i), columns: { value: values } };
      const cadence = { frequency: '1D', kind: 'plain' } as const;
      return { table, cadence, valueField: 'value', provider: 'bundled', about: {} };
    },
  };
  const clock = { now: () => new Date(scene.now) };
  return { scene, preview: createSeriesPreviews(createSourceRegistry([source]), clock) };
}

test('keeps the last value and at most forty, equally far apart', () => {
  assert.deepEqual(spreadValues([3, Number.NaN, 1]), [3, 1]);
  const spread = spreadValues(Array.from({ length: 250 }, (_, i) => i));
  assert.deepEqual([spread.length, spread[0], spread.at(-1)], [40, 0, 249]);
  const steps = spread.slice(1).map((value, i) => value - (spread[i] as number));
  assert.ok(Math.min(...steps) >= 6 && Math.max(...steps) <= 7, String(steps));
});

test('reads a series once a minute for all callers', async () => {
  const { scene, preview } = openPreviews(async () => [1, 2]);
  const [one, other] = await Promise.all([preview(ANONYMOUS, [RATE, RATE]), preview(ANONYMOUS, [{ ...RATE }])]);
  assert.deepEqual([one, other], [[{ values: [1, 2] }, { values: [1, 2] }], [{ values: [1, 2] }]]);
  assert.equal(scene.reads, 1);
  scene.now = 60_000;
  await preview(ANONYMOUS, [RATE]);
  assert.equal(scene.reads, 2);
  scene.now = 0;
  await preview(ANONYMOUS, [RATE]);
  assert.equal(scene.reads, 3, 'a clock that was set back does not keep a preview for longer');
});

test('has no preview of a series that has no rows, is unknown, is refused or is of another type', async () => {
  const refuse = () => Promise.reject(new Fault('NOT_FOUND', 'There is no such series.'));
  assert.deepEqual(await openPreviews(async () => []).preview(ANONYMOUS, [RATE, TABLE]), [null, null]);
  assert.deepEqual(await openPreviews(refuse).preview(ANONYMOUS, [RATE]), [null]);
  const denied = openPreviews(async () => [1], refuse);
  assert.deepEqual(await denied.preview(ANONYMOUS, [RATE]), [null]);
  assert.equal(denied.scene.reads, 0, 'a caller without access causes no read');
});

test('an error that is not meant for the caller is thrown and not kept', async () => {
  const answers = [() => Promise.reject(new Error('The database is away.')), async () => [5]];
  const { preview } = openPreviews(() => (answers.shift() ?? assert.fail('read too often'))());
  await assert.rejects(preview(ANONYMOUS, [RATE]), /away/);
  assert.deepEqual(await preview(ANONYMOUS, [RATE]), [{ values: [5] }]);
});

test('a refusal is kept, and a fault of the service or a provider is not', async () => {
  for (const [code, reads] of [
    ['NOT_FOUND', 1],
    ['UNAVAILABLE', 2],
    ['PROVIDER_FAILED', 2],
  ] as const) {
    const { scene, preview } = openPreviews(() => Promise.reject(new Fault(code, 'It cannot be read.')));
    for (const _ of [1, 2]) assert.deepEqual(await preview(ANONYMOUS, [RATE]), [null], code);
    assert.equal(scene.reads, reads, code);
  }
});
