import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTraceParent, readTraceParent } from './traceparent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test('parses the header that it writes', () => {
  assert.deepEqual(readTraceParent(formatTraceParent({ traceId, spanId })), { traceId, spanId, isSampled: true });
});

test('reads only the last bit of the flags', () => {
  for (const [flags, isSampled] of [
    ['00', false],
    ['02', false],
    ['03', true],
    ['ff', true],
  ] as const) {
    assert.equal(readTraceParent(`00-${traceId}-${spanId}-${flags}`)?.isSampled, isSampled, flags);
  }
});

test('accepts more fields in later versions but not in this one', () => {
  assert.ok(readTraceParent(`01-${traceId}-${spanId}-01-more`));
  assert.equal(readTraceParent(`00-${traceId}-${spanId}-01-more`), null);
  assert.equal(readTraceParent(`ff-${traceId}-${spanId}-01`), null);
});

test('returns null for anything else', () => {
  for (const text of [
    undefined,
    '',
    traceId,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-0g`,
  ]) {
    assert.equal(readTraceParent(text), null, text);
  }
});
