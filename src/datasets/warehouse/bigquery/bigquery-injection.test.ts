import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type BigqueryScene, createBigqueryScene } from '../../../../test/support/datasets/bigquery-scene.ts';
import { parseAllowedQuery, type ServedTable } from '../../../../test/support/datasets/bigquery-server.ts';
import {
  COLUMN_KINDS,
  HOSTILE_TABLE,
  HOSTILE_TEXT,
  hostileAttempt,
} from '../../../../test/support/datasets/hostile-references.ts';
import { columnOf } from '../../../../test/support/datasets/warehouse-tables.ts';
import { Fault } from '../../../contract/index.ts';
import { checkReference } from '../check-reference.ts';
import type { ColumnKind, WarehouseQuery } from '../engine.ts';
import { parseTableName } from '../table-name.ts';
import type { BigqueryTable } from './bigquery-table.ts';

const tables: ServedTable[] = [];
let scene: BigqueryScene;
before(async () => {
  scene = await createBigqueryScene({ tables });
});
after(() => scene[Symbol.asyncDispose]());

const TYPES: Record<ColumnKind, readonly string[]> = {
  text: ['STRING'],
  integer: ['INTEGER', 'INT64'],
  number: ['FLOAT', 'NUMERIC', 'BIGNUMERIC'],
  boolean: ['BOOLEAN'],
  date: ['DATE'],
  datetime: ['DATETIME'],
  timestamp: ['TIMESTAMP'],
  other: ['GEOGRAPHY', 'RECORD', 'FLOAT64) FROM `x`'],
};
/** Texts of the characters that BigQuery allows in names of columns. */
const allowedName = fc
  .array(
    fc.constantFrom('--', '#', "'", "'''", "' OR '1'='1", ' OR 1=1 #', '%27', 'é', 'select', ', ', '=', 'a', 'B'),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''));
const name = fc.oneof({ weight: 12, arbitrary: allowedName }, HOSTILE_TEXT);
const column = fc
  .tuple(name, fc.constantFrom(...COLUMN_KINDS))
  .chain(([text, kind]) => fc.constantFrom(...TYPES[kind]).map((type) => columnOf(text, kind, type)));

const part = (pattern: RegExp) =>
  fc.oneof({ weight: 16, arbitrary: fc.stringMatching(pattern) }, HOSTILE_TEXT, fc.constant('INFORMATION_SCHEMA'));
const publicTable = fc
  .tuple(part(/^[A-Za-z0-9_]{1,9}$/), part(/^[A-Za-z0-9_-]{1,9}$/))
  .map(([dataset, table]) => `bigquery-public-data.${dataset}.${table}`);
const table = fc.oneof({ weight: 7, arbitrary: publicTable }, HOSTILE_TABLE);

const TABLE_SHAPE = /^bigquery-public-data(?!.*information_schema)\.[A-Za-z0-9_]{1,300}\.[A-Za-z0-9_-]{1,300}$/i;

const kindsSent = () => scene.server.requests.map(({ kind }) => kind).filter((kind) => kind !== 'token');

/** Checks that the engine sends nothing for a name, in every function. */
async function requireNothingSent(text: string, query: WarehouseQuery | null): Promise<void> {
  const { engine } = scene;
  const isRefused = (error: unknown) =>
    error instanceof Fault && (error.code === 'INVALID_REQUEST' || error.code === 'SOURCE_DENIED');
  await assert.rejects(engine.describe(text), isRefused, text);
  const forged = { name: text, location: 'US', requiresPartitionFilter: false } as BigqueryTable;
  if (query !== null) {
    await assert.rejects(async () => engine.dryRun(forged, query, {}), isRefused, text);
    await assert.rejects(async () => engine.read(forged, query, { estimatedBytes: 1 }), isRefused, text);
  }
  assert.deepEqual(kindsSent(), [], text);
}

/** Checks that the server received one query of the allowed shape, as dry run and as read. */
function requireAllowed(query: WarehouseQuery, dataset: string, tableId: string): void {
  const sent = scene.server.requests.filter(({ kind }) => kind === 'query').map(({ body }) => Object(body));
  assert.deepEqual(
    sent.map(({ dryRun = false, maximumBytesBilled = null }) => [dryRun, maximumBytesBilled]),
    [
      [true, null],
      [false, '104857600'],
    ],
  );
  assert.equal(sent[0].query, sent[1].query);
  const parsed = parseAllowedQuery(sent[0].query);
  assert.deepEqual([parsed.dataset, parsed.table, parsed.limit], [dataset, tableId, query.maxRows]);
  const used = [query.time.column, query.value, ...query.filters.map((filter) => filter.column)];
  assert.deepEqual(parsed.columns, new Set(used.map((one) => one.name)));
  const values = query.filters.flatMap((filter) => filter.values);
  const { queryParameters = [] } = sent[0];
  assert.deepEqual(
    parsed.conditions.flatMap(({ parameters }) => parameters),
    queryParameters.map((parameter: { readonly name: string }) => parameter.name),
  );
  const bounds = [query.from, query.to].filter((bound) => bound !== null).length;
  assert.equal(queryParameters.length, bounds + values.length);
}

test('hostile references send nothing, or one query of the allowed shape', async () => {
  const counts = { names: 0, columns: 0, sent: 0 };
  let latest: WarehouseQuery | null = null;
  const attempts = fc.asyncProperty(hostileAttempt(column, table), async ({ schema, reference }) => {
    const { server, engine, clock } = scene;
    server.requests.length = 0;
    // Metadata are requested again.
    clock.now += 60_000;
    let parsed: ReturnType<typeof parseTableName> | null = null;
    try {
      parsed = parseTableName(reference.table);
    } catch (error) {
      assert.ok(error instanceof Fault, String(error));
    }
    if (parsed?.kind !== 'public') {
      counts.names++;
      return requireNothingSent(reference.table, latest);
    }
    assert.match(reference.table, TABLE_SHAPE);
    tables[0] = {
      dataset: parsed.dataset,
      table: parsed.table,
      fields: schema.map(({ name, type }) => ({ name, type })),
      rows: [],
    };
    let found: BigqueryTable | null;
    let query: WarehouseQuery;
    try {
      found = await engine.describe(reference.table);
      assert.ok(found, reference.table);
      query = checkReference(reference, found, { cutoff: null });
    } catch (error) {
      assert.ok(error instanceof Fault, String(error));
      counts.columns++;
      return assert.deepEqual(kindsSent(), ['table']);
    }
    latest = query;
    const estimatedBytes = await engine.dryRun(found, query, {});
    assert.equal((await engine.read(found, query, { estimatedBytes })).times.length, 0);
    requireAllowed(query, parsed.dataset, parsed.table);
    counts.sent++;
  });
  await fc.assert(attempts, { seed: 25, numRuns: 500 });
  assert.ok(Math.min(...Object.values(counts)) >= 100, JSON.stringify(counts));
});
