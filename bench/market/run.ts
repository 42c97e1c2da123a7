// Measures a download of 50,000 bars. A warm download is compared with raw node:http that sends the same bytes, and a
// cold one from the snapshot with JSON.stringify of prebuilt rows. Also shows whether memory grows over 2,000
// downloads.
//
//   npm run -s bench:market [-- --rounds 9 --downloads 1000]
//
// Runs on the embedded database, and also on PostgreSQL if TEST_DATABASE_URL names a server.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { cpuSeconds, residentMiB } from '../api/process-cost.ts';
import { median } from '../api/statistics.ts';
import { download } from './download.ts';

const MAX_WARM = 1.3;
const MAX_COLD = 3;
const DOWNLOADS_A_ROUND = 100;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, downloads: { type: 'string', default: '1000' } },
});
const rounds = Number(values.rounds);
console.log(
  `50,000 bars, ${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}`,
);
let isOver = false;
for (const kind of process.env.TEST_DATABASE_URL ? (['pglite', 'postgres'] as const) : (['pglite'] as const)) {
  console.log(`\n${kind}`);
  await measureWarm(kind);
  const [stringify, json, csv] = [await cold('stringify', kind), await cold('json', kind), await cold('csv', kind)];
  const formatMs = (ms: number): string => `${ms.toFixed(1)} ms, ${(ms / stringify).toFixed(2)}x`;
  console.log(`cold  JSON ${formatMs(json)}; CSV ${formatMs(csv)}; 1x is JSON.stringify (${stringify.toFixed(1)} ms)`);
  isOver ||= Math.max(json, csv) / stringify > MAX_COLD;
}
if (isOver) console.log('\nOVER THE LIMIT');
process.exitCode = isOver ? 1 : 0;

async function cold(format: string, kind: string): Promise<number> {
  const child = fork(new URL('./cold.ts', import.meta.url), [format, kind, String(rounds)]);
  const [milliseconds] = (await once(child, 'message')) as [number];
  if (child.exitCode === null) await once(child, 'exit');
  return milliseconds;
}

interface Server {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly port: number;
  readonly authorization: string;
}

async function start(...role: string[]): Promise<Server> {
  const child = fork(new URL('./serve.ts', import.meta.url), role);
  const [{ port, authorization = '' }] = (await once(child, 'message')) as [{ port: number; authorization?: string }];
  return { process: child, pid: child.pid as number, port, authorization };
}

async function measureWarm(kind: string): Promise<void> {
  const servers = [await start('service', kind), await start('peer'), await start('guarded', kind)] as const;
  const [service, ...peers] = servers;
  try {
    const settings = { symbol: 'X', timeframe: '1min', limit: 50_000, source: 'alpaca' };
    const preview = await download(service.port, settings, service.authorization);
    const { snapshot_id, count } = JSON.parse(preview.body.toString());
    if (count !== 50_000) throw new Error(`unexpected response: ${preview.body.toString().slice(0, 300)}`);
    for (const format of ['json', 'csv']) {
      const body = { ...settings, format, snapshot_id };
      const { body: expected } = await download(service.port, body, service.authorization);
      for (const { process: peer } of peers) {
        peer.send({ format, body: expected.toString() });
        await once(peer, 'message');
      }
      const costs = servers.map((): number[] => []);
      for (let round = 0; round <= rounds; round++) {
        for (const [i, server] of servers.entries()) {
          const cost = await costOf(server, body, expected.length);
          // The first round warms up.
          if (round > 0) costs[i]?.push(cost);
        }
      }
      const [ours = 0, raw = 0, guarded = 0] = costs.map(median);
      isOver ||= ours / raw > MAX_WARM;
      const beside = (theirs: number): string => `${(ours / theirs).toFixed(2)}x of ${theirs.toFixed(2)} ms`;
      console.log(
        `warm  ${format.padEnd(4)} ${(expected.length / 1e6).toFixed(1)} MB: ${ours.toFixed(2)} ms of CPU, ${beside(raw)} for raw node:http, ${beside(guarded)} for raw node:http that also looks up the key`,
      );
    }
    await measureMemory(service, settings);
  } finally {
    for (const { process: child } of servers) child.disconnect();
    await Promise.all(servers.map(({ process: child }) => once(child, 'exit')));
  }
}

/** Returns the CPU milliseconds that the serving process spends on one download. */
async function costOf({ pid, port, authorization }: Server, body: object, bytes: number): Promise<number> {
  const before = cpuSeconds(pid);
  for (let i = 0; i < DOWNLOADS_A_ROUND; i++) {
    const answer = await download(port, body, authorization);
    if (answer.status !== 200 || answer.body.length !== bytes) throw new Error(`the service returned ${answer.status}`);
  }
  return ((cpuSeconds(pid) - before) / DOWNLOADS_A_ROUND) * 1000;
}

/**
 * Measures memory over many downloads. Requests a new page each time, so that every download is read, frozen and
 * rendered again.
 */
async function measureMemory(service: Server, settings: object): Promise<void> {
  const downloads = Number(values.downloads);
  let cursor: string | null = null;
  const sizes: number[] = [];
  for (let i = 1; i <= downloads; i++) {
    const body: object = { ...settings, limit: 1000, ...(cursor && { cursor }), format: 'json' };
    const { body: received } = await download(service.port, body, service.authorization);
    cursor = JSON.parse(received.toString()).next_cursor;
    const { snapshot_id } = JSON.parse(received.toString());
    await download(service.port, { ...settings, limit: 1000, format: 'csv', snapshot_id }, service.authorization);
    if (i % Math.max(1, Math.floor(downloads / 5)) === 0) sizes.push(residentMiB(service.pid));
  }
  console.log(`memory over ${2 * downloads} downloads: ${sizes.map((size) => size.toFixed(0)).join(', ')} MiB`);
}
