import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, MINUTE_MS } from '../../calendar/index.ts';
import { BAR_COLUMNS, type BarTable } from '../bars.ts';
import { decodeChunk, encodeChunk } from './chunk-codec.ts';

function table(values: readonly (readonly number[])[], start = Date.UTC(2024, 0, 2)): BarTable {
  const column = (index: number) => Float64Array.from(values, (row) => row[index] as number);
  return {
    timestamps: Float64Array.from(values, (_, i) => start + i * MINUTE_MS),
    columns: { open: column(0), high: column(1), low: column(2), close: column(3), volume: column(4) },
  };
}

const price = fc.oneof(
  fc.integer({ min: 1, max: 99_999_999 }).map((cents) => cents / 100),
  fc.integer({ min: 1, max: 99_999_999 }).map((points) => points / 100_000),
  fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
);

test('restores every bar exactly, whatever its prices', () => {
  const rows = fc.array(fc.tuple(price, price, price, price, fc.oneof(fc.nat(), price)), { maxLength: 60 });
  fc.assert(
    fc.property(rows, fc.integer({ min: -60_000, max: 80_000 }), (values, day) => {
      const bars = table(values, day * DAY_MS);
      assert.deepEqual(decodeChunk(encodeChunk(bars)), bars);
    }),
    { numRuns: 200, seed: 1 },
  );
});

test('restores the extreme doubles', () => {
  const values = [Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 31, -(2 ** 31), -0, 0.1 + 0.2, 1e-7].map((value) =>
    BAR_COLUMNS.map(() => value),
  );
  for (const row of values) {
    const bars = table([row, row]);
    assert.deepEqual(decodeChunk(encodeChunk(bars)), bars);
  }
});

test('stores a day of minutes with prices in cents in a few bytes a bar', () => {
  let cents = 15_000;
  const bars = table(
    Array.from({ length: 960 }, (_, i) => {
      cents += ((i * 7_919) % 13) - 6;
      return [cents / 100, (cents + 3) / 100, (cents - 4) / 100, (cents + 1) / 100, (i * 104_729) % 20_000];
    }),
  );
  assert.ok(encodeChunk(bars).length < 960 * 8, `${encodeChunk(bars).length} bytes`);
});

test('refuses changed, cut and foreign bytes', () => {
  const bars = table(Array.from({ length: 50 }, (_, i) => [10 + i, 11 + i, 9 + i, 10 + i / 7, i]));
  const data = encodeChunk(bars);
  for (let at = 0; at < data.length; at++) {
    const changed = Buffer.from(data);
    changed[at] = (changed[at] as number) ^ 0x10;
    // A few bits of the frame have no meaning. Wherever the change is not noticed, the bars are the same.
    let decoded: BarTable;
    try {
      decoded = decodeChunk(changed);
    } catch (error) {
      assert.equal((error as Error).name, 'DamagedChunkError');
      continue;
    }
    assert.deepEqual(decoded, bars);
  }
  for (const bytes of [Buffer.alloc(0), data.subarray(0, -1), Buffer.from('not a chunk')]) {
    assert.throws(() => decodeChunk(bytes), { name: 'DamagedChunkError' });
  }
});
