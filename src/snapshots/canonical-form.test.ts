import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromCanonicalForm, pack, toCanonicalForm, unpack } from './snapshot-store.ts';

const TABLE = { timestamps: Float64Array.of(0, 86_400_000), columns: { close: Float64Array.of(1.5, Number.NaN) } };

test('writes the documented canonical form', () => {
  const { header, columns, sha256 } = toCanonicalForm({ about: { symbol: 'X', a: [1] }, table: TABLE });
  assert.equal(header, '{"about":{"a":[1],"symbol":"X"},"columns":["close"],"form":1,"rows":2}');
  assert.equal(columns.toString('hex'), '00000000000000000000000070999441000000000000f83f000000000000f87f');
  // Computed with Python's struct and hashlib.
  assert.equal(sha256, '79a3eaab7e6af4a9284019135fffd54098ffc696d70bda294d60618f3b26afd3');
});

test('equal contents have equal digests, and different contents have different ones', () => {
  const digest = (about: object, close: number[], timestamps = [0, 1]): string =>
    toCanonicalForm({
      about: about as Record<string, unknown>,
      table: { timestamps: Float64Array.from(timestamps), columns: { close: Float64Array.from(close) } },
    }).sha256;
  const one = digest({ a: 1, b: 2 }, [0, 1]);
  assert.equal(digest({ b: 2, a: 1 }, [-0, 1]), one);
  const others = [digest({ a: 1 }, [0, 1]), digest({ a: 1, b: 2 }, [0, 2]), digest({ a: 1, b: 2 }, [0, 1], [0, 2])];
  assert.equal(new Set([one, ...others]).size, 4);
});

test('packing and unpacking preserves the content', async () => {
  const numbers = fc.array(fc.tuple(fc.double(), fc.double()), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(numbers, async (rows) => {
      const table = {
        timestamps: Float64Array.from(rows, (_, i) => i * 1000),
        columns: { low: Float64Array.from(rows, ([low]) => low), high: Float64Array.from(rows, ([, high]) => high) },
      };
      const { header, columns, sha256 } = toCanonicalForm({ about: { name: 'ü' }, table });
      const read = fromCanonicalForm(header, await unpack(await pack(columns), columns.length), sha256);
      assert.deepEqual(read.about, { name: 'ü' });
      assert.deepEqual(Object.keys(read.table.columns), ['low', 'high']);
      assert.deepEqual(toCanonicalForm(read).sha256, sha256);
      rows.forEach(([low], i) => {
        assert.ok(Object.is(read.table.columns.low?.[i], low === 0 ? 0 : low));
      });
    }),
    { seed: 1 },
  );
});

test('detects a changed byte', async () => {
  const { header, columns, sha256 } = toCanonicalForm({ about: {}, table: TABLE });
  columns[3] = 1;
  assert.throws(() => fromCanonicalForm(header, columns, sha256), /was changed after it was stored/);
  await assert.rejects(unpack(await pack(columns), columns.length - 8), /bytes|larger/i);
  await assert.rejects(unpack(Buffer.from('nonsense'), 16));
});

test('refuses an invalid table', () => {
  const columns = { close: Float64Array.of(1, 2) };
  const make = (timestamps: Float64Array) => () => toCanonicalForm({ about: {}, table: { timestamps, columns } });
  assert.throws(make(Float64Array.of(1, 1)), /Row 1/);
  assert.throws(make(Float64Array.of(Number.NaN, 1)), /Row 0/);
  assert.throws(make(Float64Array.of(1)), /Column close has 2 rows/);
});
