/// <reference types="node" />
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OlderBars } from './load-rows.ts';
import type { SeriesData } from './page.ts';

test('after a failure, older bars are read only when the reader asks again', async () => {
  const older = { cursor: 'next', body: {} };
  // Without a page, the address has no origin, so that the request fails as it does without a connection.
  const bars = new OlderBars({ request: { path: '/v1/bars', body: {} }, older } as unknown as SeriesData);
  assert.equal(bars.canLoad, true);
  await assert.rejects(bars.load(), { code: 'OFFLINE' });
  assert.deepEqual([bars.canLoad, bars.hasMore], [false, true]);
  bars.resume();
  assert.equal(bars.canLoad, true);
});
