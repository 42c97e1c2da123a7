/**
 * Measures what idle watchers cost the API: 2,000 event streams of 200 callers, whose forecasts wait. The service runs in
 * its own process, without a worker. Exits with status 1 beyond 5 % of a core or 40 KiB each.
 *
 *   npm run -s bench:watchers
 *   scripts/with-postgres.sh npm run -s bench:watchers
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type ClientRequest, request } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { testedKind } from '../../test/support/platform/database.ts';
import { formatTable } from '../format-table.ts';
import type { Cost, Watched } from './service.ts';

const CALLERS = 200;
const STREAMS_PER_CALLER = 10;
/** Four rounds of checks and keep-alives. */
const IDLE_SECONDS = 60;
const MAX_CORE_SHARE = 0.05;
const MAX_BYTES = 40 * 1024;

const child = fork(new URL('./service.ts', import.meta.url), [String(CALLERS)], { execArgv: ['--expose-gc'] });
const [{ port, watched }] = (await once(child, 'message')) as [{ port: number; watched: readonly Watched[] }];

async function readCost(): Promise<Cost> {
  const reply = once(child, 'message');
  child.send('cost');
  return (await reply)[0] as Cost;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Opens a stream. Resolves when its first event has arrived. */
function watch({ path, credentials }: Watched): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers: credentials, agent });
    outgoing.on('error', reject).on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`The service returned ${response.statusCode}.`));
      response.on('error', () => {}).once('data', () => resolve(outgoing));
      response.resume();
    });
    outgoing.end();
  });
}

// One stream of each caller compiles the code and fills the caches, and then closes.
for (const outgoing of await Promise.all(watched.map(watch))) outgoing.destroy();
await sleep(1_000);
const empty = await readCost();
const streams: ClientRequest[] = [];
for (let i = 0; i < STREAMS_PER_CALLER; i += 1) streams.push(...(await Promise.all(watched.map(watch))));
const open = await readCost();
const startedAt = performance.now();
await sleep(IDLE_SECONDS * 1_000);
const idle = await readCost();
const share = (idle.cpuSeconds - open.cpuSeconds) / ((performance.now() - startedAt) / 1_000);
const bytes = (idle.rssBytes - empty.rssBytes) / streams.length;
const heap = (idle.heapBytes - empty.heapBytes) / streams.length;
for (const outgoing of streams) outgoing.destroy();
child.send('exit');

console.log(`${streams.length} idle watchers of ${CALLERS} callers, ${testedKind}, ${cpus()[0]?.model}`);
console.log(
  formatTable([
    ['', 'measured', 'bar'],
    ['share of a core', `${(share * 100).toFixed(1)} %`, `${MAX_CORE_SHARE * 100} %`],
    ['memory each (RSS)', `${(bytes / 1024).toFixed(1)} KiB`, `${MAX_BYTES / 1024} KiB`],
    ['heap each', `${(heap / 1024).toFixed(1)} KiB`, ''],
  ]),
);
process.exitCode = share > MAX_CORE_SHARE || bytes > MAX_BYTES ? 1 : 0;
