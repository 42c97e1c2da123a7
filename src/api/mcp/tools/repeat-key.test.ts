import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatKey } from './repeat-key.ts';

const at = (time: string) => new Date(`2026-01-01T${time}Z`);

test('equal calls have the same key for ten minutes', () => {
  const key = repeatKey({ horizon: 3, source: { type: 'inline' } }, at('10:00:00'));
  assert.equal(repeatKey({ source: { type: 'inline' }, horizon: 3 }, at('10:09:59')), key);
  assert.notEqual(repeatKey({ source: { type: 'inline' }, horizon: 3 }, at('10:10:00')), key);
  assert.notEqual(repeatKey({ source: { type: 'inline' }, horizon: 4 }, at('10:00:00')), key);
});
