// Measures the daily run: it computes metrics from the bars of many symbols and stores the matches of many filters. The
// evaluation is compared with a loop over numbers in memory and with one query per filter. All three must find the same
// number of matches.
//
//   npm run -s bench:screener [-- --symbols 8000 --filters 10000]
//
// Runs on the embedded database, and also on PostgreSQL if TEST_DATABASE_URL names a server.

import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { previousSession } from '../../src/calendar/index.ts';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';
import type { Database } from '../../src/platform/index.ts';
import { previewFilter } from '../../src/screener/evaluate/evaluate.ts';
import type { SavedFilterRules } from '../../src/screener/evaluate/filter-rules.ts';
import { runSession } from '../../src/screener/index.ts';
import { formatSession } from '../../src/screener/run/session-dates.ts';
import { availableKinds, type DatabaseKind, openTestDatabase } from '../../test/support/platform/database.ts';
import { openRunScene } from '../../test/support/screener/run-scene.ts';
import { cpuSeconds } from '../api/process-cost.ts';
import { generateFilters } from './filters.ts';
import { countByLoop } from './floor.ts';
import { rowsOf, storeFilters } from './stored-filters.ts';
import { createRandomWalkProvider } from './walks.ts';

const MAX_SECONDS = 30;
const FILTERS_ALONE = 200;
const LAST = Date.UTC(2024, 2, 28);
const SESSION = formatSession(LAST);
const BEFORE = formatSession(previousSession(LAST));

const { values } = parseArgs({
  options: { symbols: { type: 'string', default: '8000' }, filters: { type: 'string', default: '10000' } },
});
const symbols = Array.from({ length: Number(values.symbols) }, (_, i) => `S${String(i).padStart(4, '0')}`);
const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
console.log(
  `${values.symbols} symbols, ${values.filters} filters, ${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}`,
);
let isOver = false;
for (const kind of availableKinds) await measure(kind);
if (isOver) console.log('\nOVER THE LIMIT');
process.exitCode = isOver ? 1 : 0;

async function measure(kind: DatabaseKind): Promise<void> {
  await using fixture = await openTestDatabase(kind, { migrations: MIGRATIONS });
  const { database } = fixture;
  const provider = createRandomWalkProvider(symbols, LAST);
  let [readAt, cpuRead, making] = [0, 0, 0];
  const { fetchDays } = provider.bulk;
  const watched = {
    ...provider,
    bulk: {
      ...provider.bulk,
      fetchDays: async (...query: Parameters<typeof fetchDays>) => {
        const requestedAt = performance.now();
        const page = await fetchDays(...query);
        // The time of the provider and the network is not counted.
        making += performance.now() - requestedAt;
        [readAt, cpuRead] = [performance.now(), await cpuOf(database)];
        return page;
      },
    },
  };
  const scene = openRunScene(fixture, [watched]);
  scene.setTime('2024-03-28T21:00:00Z');
  const run = async (session: string) => {
    const [startedAt, cpuBefore] = [performance.now(), await cpuOf(database)];
    making = 0;
    const outcome = await runSession(scene.context, session, { isPast: false });
    if (outcome !== 'completed') throw new Error(`The run ended as ${outcome}.`);
    const [endedAt, cpuAfter] = [performance.now(), await cpuOf(database)];
    return {
      making,
      reading: readAt - startedAt - making,
      evaluating: endedAt - readAt,
      cpuReading: cpuRead - cpuBefore - making,
      cpuEvaluating: cpuAfter - cpuRead,
    };
  };
  // The first run has no filters; filters are generated from its metrics. The second run is that of the session before
  // the measured one.
  const earliest = formatSession(previousSession(previousSession(LAST)));
  await run(earliest);
  const filters = generateFilters(createRandom(1), Number(values.filters), await rowsOf(database, earliest));
  await storeFilters(database, filters);
  await run(BEFORE);
  const { making: made, reading, evaluating, cpuReading, cpuEvaluating } = await run(SESSION);
  isOver ||= (reading + evaluating) / 1_000 > MAX_SECONDS;
  const rows = await rowsOf(database, SESSION);
  const loop = countByLoop(rows, filters);
  const stored = await storedCounts(database, filters);
  const differing = filters.filter((_, i) => stored[i] !== loop.counts[i]);
  if (differing.length > 0) throw new Error(`${differing.length} filters differ, ${differing[0]?.id} first.`);
  const total = loop.counts.reduce((sum, count) => sum + count, 0);
  const alone = await queryEach(database, filters.slice(0, FILTERS_ALONE), loop.counts);
  console.log(`
${kind}
a daily evaluation         ${formatSeconds(reading + evaluating)} (at most ${MAX_SECONDS} s)
bars to metrics, stored    ${formatSeconds(reading)}, ${formatSeconds(cpuReading)} of CPU, without ${formatSeconds(made)} for generating the bars
filters, stored            ${formatSeconds(evaluating)}, ${formatSeconds(cpuEvaluating)} of CPU, ${total} matches (${(total / filters.length).toFixed(0)} a filter)
  as a loop in memory      ${formatSeconds(loop.ms)}, which stores nothing
  as one query each        ${formatSeconds((alone * filters.length) / FILTERS_ALONE)}, by the first ${FILTERS_ALONE}, which store nothing`);
}

/** Returns the CPU milliseconds of this process and its database processes so far. */
async function cpuOf(database: Database): Promise<number> {
  const { user, system } = process.cpuUsage();
  const ours = (user + system) / 1_000;
  if (database.kind === 'pglite') return ours;
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  `.execute(database.query());
  return rows.reduce((sum, { pid }) => sum + cpuSeconds(pid) * 1_000, ours);
}

async function storedCounts(database: Database, filters: readonly SavedFilterRules[]): Promise<number[]> {
  const { rows } = await sql<{ filter_id: string; count: number }>`
    SELECT filter_id, cardinality(symbols) AS count FROM screener_result WHERE session = ${SESSION}::date
  `.execute(database.query());
  const counts = new Map(rows.map(({ filter_id, count }) => [filter_id, count]));
  return filters.map(({ id }) => counts.get(id) ?? -1);
}

/** Runs one query per filter. Returns the milliseconds that all queries together took. */
async function queryEach(database: Database, filters: readonly SavedFilterRules[], expected: readonly number[]) {
  const startedAt = performance.now();
  for (const [i, filter] of filters.entries()) {
    const { total } = await previewFilter(database, SESSION, filter, 1);
    if (total !== expected[i]) throw new Error(`${filter.id} alone matches ${total}.`);
  }
  return performance.now() - startedAt;
}
