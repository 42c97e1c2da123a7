import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../command.ts';
import { readReplayOptions } from './replay-options.ts';

test('without words the replay is the one that the documentation describes', () => {
  assert.deepEqual(readReplayOptions({}), {
    symbol: '^GSPC',
    cutoffs: 50,
    horizons: [5, 21, 63],
    changes: [-5, -2, 0, 2, 5],
    rows: 1000,
    before: 1260,
    csv: undefined,
  });
});

test('lists are put in order, each value once', () => {
  const { horizons, changes } = readReplayOptions({ horizons: '21, 5,21', changes: '2.5,-1' });
  assert.deepEqual(horizons, [5, 21]);
  assert.deepEqual(changes, [-1, 2.5]);
});

test('a wrong word is named', () => {
  const refused = (values: Record<string, string>, message: RegExp): void =>
    assert.throws(
      () => readReplayOptions(values),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  refused({ cutoffs: '0' }, /--cutoffs must be a whole number from 1 to 500, not 0/);
  refused({ cutoffs: '' }, /--cutoffs/);
  refused({ rows: '1e3' }, /--rows/);
  refused({ before: '12.5' }, /--before/);
  refused({ horizons: '5,400' }, /--horizons must be at most 20 whole numbers from 1 to 365/);
  refused({ horizons: '5,,7' }, /--horizons/);
  refused({ changes: '-100' }, /--changes/);
  refused({ changes: Array.from({ length: 21 }, (_, i) => i).join() }, /--changes must be at most 20/);
});
