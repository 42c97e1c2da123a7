import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestIdOf } from './log-requests.ts';

test('keeps the caller’s UUID of any version', () => {
  for (const id of [
    '00000000-0000-0000-0000-000000000000',
    'C0FFEE00-1234-7ABC-8DEF-00000000000F',
    '12345678-1234-0234-0234-123456789012',
  ]) {
    assert.equal(requestIdOf({ headers: { 'x-request-id': id } }), id);
  }
});

test('replaces any other request id by a new one', () => {
  const sent = [
    undefined,
    '',
    'x',
    '12345678123412341234123456789012',
    '{12345678-1234-1234-1234-123456789012}',
    '12345678-1234-1234-1234-123456789012\n',
    '12345678-1234-1234-1234-12345678901g',
    'a'.repeat(10_000),
    ['12345678-1234-1234-1234-123456789012'],
  ];
  const made = sent.map((id) => requestIdOf({ headers: { 'x-request-id': id } }));
  for (const id of made) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(made).size, sent.length);
});
