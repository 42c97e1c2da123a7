import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOpenApi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

const MIN_NOTICE_DAYS = 180;
const all = Object.entries<Operation>(operations);

for (const [id, { deprecated }] of all) {
  if (deprecated === undefined) continue;
  test(`${id} is announced long enough before it goes`, () => {
    const [since, sunset] = [deprecated.since, deprecated.sunset].map((day) => Date.parse(`${day}T00:00:00Z`));
    assert.ok(Number(sunset) - Number(since) >= MIN_NOTICE_DAYS * 86_400_000);
  });
}

test('the document has the days of the deprecation and the sunset, and what to use instead', () => {
  const deprecated = { since: '2027-01-01', sunset: '2027-12-31', instead: 'listModels' };
  const before: Operation = operations.readForecast;
  Object.assign(before, { deprecated });
  try {
    const { paths } = buildOpenApi('https://almanac.example') as { paths: Record<string, Record<string, object>> };
    assert.partialDeepStrictEqual(paths[before.path]?.get, {
      deprecated: true,
      'x-deprecated': '2027-01-01',
      'x-sunset': '2027-12-31',
      description: `Deprecated since 2027-01-01; it may be gone from 2027-12-31 on. Use listModels instead.${before.description === undefined ? '' : `\n\n${before.description}`}`,
    });
  } finally {
    Object.assign(before, { deprecated: undefined });
  }
});
