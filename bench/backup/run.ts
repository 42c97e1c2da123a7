// Measures small reads of a running service before and during a backup, then a restore with its comparison of all rows.
//
//   npm run -s bench:backup [-- --mib N --rate REQUESTS_PER_SECOND --seconds N]
//
// With TEST_DATABASE_URL (scripts/with-postgres.sh npm run -s bench:backup), on PostgreSQL; otherwise on the embedded
// database, whose longest read shows the pause.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Ending, spawnAlmanac } from '../../test/support/cli/almanac-process.ts';
import { emptyPostgres, type Service, startService, temporaryFolder } from '../../test/support/cli/service.ts';
import { fillDatabase } from '../../test/support/platform/fill-database.ts';

const MIB = 1024 * 1024;

const { values: options } = parseArgs({
  options: {
    mib: { type: 'string', default: '200' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '10' },
  },
});
const [mib, rate, seconds] = [Number(options.mib), Number(options.rate), Number(options.seconds)];
const folder = temporaryFolder();
const keyFile = join(folder, 'backup.key');
const file = join(folder, 'almanac.backup');
writeFileSync(keyFile, randomBytes(32));
const onServer = process.env.TEST_DATABASE_URL !== undefined;

try {
  await using source = onServer ? await emptyPostgres() : null;
  await using target = onServer ? await emptyPostgres() : null;
  const environment = { ALMANAC_DATA: join(folder, 'data'), ...(source && { DATABASE_URL: source.url }) };
  await fillDatabase(environment, mib);
  {
    await using service = await startService({
      data: environment.ALMANAC_DATA,
      ...(source && { databaseUrl: source.url }),
      environment: { ALMANAC_RATE_PRO: '1000000' },
      quiet: true,
    });
    await measureReads(service, sleep(3_000));
    console.log(`${mib} MiB, ${onServer ? 'PostgreSQL' : 'embedded'}, ${cpus().length} cores: ${cpus()[0]?.model}`);
    report('before', await measureReads(service, sleep(seconds * 1000)));
    const backup = spawnAlmanac('src/cli/almanac.ts', ['backup', file, '--key-file', keyFile], environment);
    report('during the backup', await measureReads(service, backup.ended));
    console.log(resultOf(await backup.ended));
    report('after', await measureReads(service, sleep(seconds * 1000)));
  }
  console.log(`the file has ${Math.round(statSync(file).size / MIB)} MiB`);
  const restored = { ALMANAC_DATA: join(folder, 'restored'), ...(target && { DATABASE_URL: target.url }) };
  const startedAt = performance.now();
  const restore = spawnAlmanac('src/cli/almanac.ts', ['restore', file, '--key-file', keyFile], restored);
  let peakMib = 0;
  const timer = setInterval(() => {
    peakMib = Math.max(peakMib, residentMib(restore.pid));
  }, 200);
  console.log(resultOf(await restore.ended));
  clearInterval(timer);
  console.log(
    `restored and compared in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, at most ${peakMib} MiB of memory`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function resultOf({ code, stdout, stderr }: Ending): string {
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

function residentMib(pid: number): number {
  const status = `/proc/${pid}/statm`;
  if (!existsSync(status)) return 0;
  try {
    return Math.round((Number(readFileSync(status, 'utf8').split(' ')[1]) * 4096) / MIB);
  } catch {
    return 0;
  }
}

/** Sends reads at a steady rate until `until` settles. A read that has to wait for its turn counts the wait. */
async function measureReads(service: Service, until: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  const running = new Set<Promise<void>>();
  for (let due = performance.now(); !isOver; due += 1000 / rate) {
    await sleep(Math.max(0, due - performance.now()));
    const read = service.fetch('/api/v1/me/access').then(async (reply) => {
      await reply.arrayBuffer();
      if (reply.status !== 200) throw new Error(`a read got ${reply.status}`);
      times.push(performance.now() - due);
    });
    running.add(read);
    void read.finally(() => running.delete(read));
  }
  await Promise.all(running);
  return times;
}

function report(name: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  console.log(`${name}: ${times.length} reads, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
}
