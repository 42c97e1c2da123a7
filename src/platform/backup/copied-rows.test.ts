import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COPY_HEADER, COPY_TRAILER, RowCutter, RowDigest, rowsOf } from './copied-rows.ts';

function row(...fields: (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  const parts = fields.map((field) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : Buffer.byteLength(field));
    return Buffer.concat([length, Buffer.from(field ?? '')]);
  });
  return Buffer.concat([count, ...parts]);
}

const ROWS = [row('a', null, ''), row('b', 'x'.repeat(300)), row(), row(null)];

test('cuts the output of COPY at rows, however it arrives', () => {
  const output = Buffer.concat([COPY_HEADER, ...ROWS, COPY_TRAILER]);
  for (const size of [1, 2, 7, 20, 1000]) {
    const cutter = new RowCutter();
    const found: Buffer[] = [];
    for (let at = 0; at < output.length; at += size) {
      const piece = Buffer.from(cutter.cut(output.subarray(at, at + size)));
      found.push(...rowsOf(piece));
    }
    cutter.requireEnd();
    assert.deepEqual(found, ROWS, `in pieces of ${size}`);
  }
});

test('an output without its trailer is refused', () => {
  const cutter = new RowCutter();
  cutter.cut(Buffer.concat([COPY_HEADER, ...ROWS]));
  assert.throws(() => cutter.requireEnd(), /ended early/);
});

test('the digest of rows does not depend on their order, but on every row', () => {
  const digest = (rows: readonly Buffer[]) => {
    const sum = new RowDigest();
    for (const one of rows) sum.add(one);
    return sum.summary();
  };
  const all = digest(ROWS);
  assert.deepEqual(digest(ROWS.toReversed()), all);
  assert.equal(all.rows, 4);
  const others = [
    ROWS.slice(1),
    [...ROWS, row()],
    [row('A', null, ''), ...ROWS.slice(1)],
    [row('a', '', null), ...ROWS.slice(1)],
  ];
  for (const other of others) assert.notEqual(digest(other).digest, all.digest);
});
