// Compares a small authenticated GET request with raw node:http that runs the same statements through the same driver
// and sends the same bytes. Also measures a warm start.
//
//   npm run bench:api [-- --requests 4000 --rounds 7]
//
// Runs on the embedded database, and also on PostgreSQL if TEST_DATABASE_URL names a server.

import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Comparison, compareOnPglite, compareOnPostgres } from './compare.ts';
import { measureStarts } from './starts.ts';
import { printComparison, printStarts } from './tables.ts';

const MAX_RATIOS: Readonly<Record<Comparison['database'], number>> = { PGlite: 1.5, PostgreSQL: 1.8 };
const MAX_START_MS = 1_700;

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '4000' }, rounds: { type: 'string', default: '7' } },
});
const size = { requests: Number(values.requests), rounds: Number(values.rounds), connections: 16 };

console.log(`GET /api/v1/me/access: Almanac compared with raw node:http with the same statements
${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}
${size.connections} connections, ${size.requests} requests a round, ${size.rounds} rounds of each in turn; medians
`);

const comparisons = [await compareOnPglite(size)];
const server = process.env.TEST_DATABASE_URL;
if (server) comparisons.push(await compareOnPostgres(server, size));
else console.log('TEST_DATABASE_URL is not set: PostgreSQL is skipped.\n');
printComparison(comparisons);

const starts = await measureStarts(5);
printStarts(starts);

const tooCostly = comparisons.filter(({ database, ratio }) => ratio > MAX_RATIOS[database]);
for (const { database, ratio } of tooCostly) console.log(`OVER THE LIMIT: ${ratio.toFixed(2)}x on ${database}`);
const tooSlow = starts.medianReadyMs > MAX_START_MS;
if (tooSlow) console.log(`OVER THE LIMIT: a warm start takes ${Math.round(starts.medianReadyMs)} ms`);
process.exitCode = tooCostly.length > 0 || tooSlow ? 1 : 0;
