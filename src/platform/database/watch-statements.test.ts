import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { beginTrace, runInSpan } from '../telemetry/index.ts';
import { withoutValues } from './watch-statements.ts';

forEachDatabase('traces and measures statements without their values', {}, async ({ database }) => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ALMANAC_METRICS: '127.0.0.1:0' });
  const secret = 'alice@example.org';
  const run = () => sql`select ${secret}::text as email, 'literal' as other`.execute(database.query());
  await run();
  const span = beginTrace({ name: 'above', kind: 'server' });
  assert.ok(span);
  await runInSpan(span, async () => {
    await run();
    await database.transaction(async (tx) => void (await sql`select ${secret}::text as inside`.execute(tx.query())));
    await assert.rejects(sql`select ${secret}::int`.execute(database.query()));
  });
  const page = await telemetry.page();
  await telemetry.stop();

  const spans = collector.spans();
  const above = spans.find(({ name }) => name === 'above');
  const selects = spans.filter(({ name }) => name === 'db select');
  assert.deepEqual(
    selects.map(({ parentSpanId, attributes, isError }) => [parentSpanId, attributes['db.query.text'], isError]),
    [
      [above?.spanId, "select $1::text as email, '?' as other", false],
      [above?.spanId, 'select $1::text as inside', false],
      [above?.spanId, 'select $1::int', true],
    ],
  );
  assert.equal(selects[2]?.attributes['error.type'], '22P02');
  assert.equal(page.value('almanac_database_query_duration_seconds_count', { statement: 'select' }), 4);
  assert.doesNotMatch(`${collector.received()}${await telemetry.logged()}`, /alice/);
});

forEachDatabase('reports connections in use and waiting callers', {}, async ({ database }) => {
  assert.deepEqual(database.connections(), { inUse: 0, waiting: 0 });
  const gate = Promise.withResolvers<void>();
  const many = Array.from({ length: 12 }, () => database.transaction(() => gate.promise));
  const most = database.kind === 'pglite' ? 1 : 10;
  while (database.connections().inUse < most) await new Promise(setImmediate);
  assert.deepEqual(database.connections(), { inUse: most, waiting: 12 - most });
  gate.resolve();
  await Promise.all(many);
  assert.deepEqual(database.connections(), { inUse: 0, waiting: 0 });
});

test('removes literals from a statement, even unterminated ones, and shortens it', () => {
  assert.equal(
    withoutValues("select 'it''s'  from\n a where b = 'x' and c = 'y"),
    "select '?' from a where b = '?' and c = '?'",
  );
  assert.equal(withoutValues(`select ${'x'.repeat(5_000)}`).length, 500);
});
