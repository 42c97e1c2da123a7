// Measures the bulk read of daily bars into the store: the first fill, and one new session. The requests of the new
// session must stay within the limits.
//
//   npm run -s bench:days [-- --symbols 8000 --sessions 400 --provider alpaca]
//
// Without --provider, both protocols are measured, Massive with 40 sessions: its first fill stores one date after the
// other. Runs on the embedded database, and also on PostgreSQL if TEST_DATABASE_URL names a server.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ALL_LICENSES } from '../../src/access/index.ts';
import { HOUR_MS, nextSession, sessionHours } from '../../src/calendar/index.ts';
import {
  createAlpacaProvider,
  createDirectory,
  createMassiveProvider,
  fillDays,
  marketMigrations,
} from '../../src/market/index.ts';
import { readStoreStats } from '../../src/market/store/store-size.ts';
import { createLog, outboundMigrations } from '../../src/platform/index.ts';
import { availableKinds, type DatabaseKind, openTestDatabase } from '../../test/support/platform/database.ts';
import { cpuSeconds } from '../api/process-cost.ts';
import { formatTable } from '../format-table.ts';

const MAX_REQUESTS = { alpaca: 100, massive: 2 } as const;
type Protocol = keyof typeof MAX_REQUESTS;

const SESSION = Date.UTC(2024, 2, 27);
const MIB = 1024 ** 2;

const { values } = parseArgs({
  options: {
    symbols: { type: 'string', default: '8000' },
    sessions: { type: 'string' },
    provider: { type: 'string' },
  },
});
const protocols = (values.provider === undefined ? ['alpaca', 'massive'] : [values.provider]) as Protocol[];

const server = fork(fileURLToPath(import.meta.resolve('./market-server.ts')), [values.symbols], {
  execArgv: process.execArgv,
});
const [port] = (await once(server, 'message')) as [number];
let isOver = false;
for (const kind of availableKinds) for (const protocol of protocols) await measure(kind, protocol);
server.disconnect();
if (isOver) console.log('\nOVER THE LIMIT');
process.exitCode = isOver ? 1 : 0;

async function readCounts(): Promise<{ readonly requests: number; readonly bytes: number }> {
  server.send('counts');
  const [counts] = await once(server, 'message');
  return counts;
}

async function measure(kind: DatabaseKind, protocol: Protocol): Promise<void> {
  await using fixture = await openTestDatabase(kind, { migrations: [marketMigrations, outboundMigrations] });
  const { database } = fixture;
  let session = SESSION;
  const clock = { now: () => new Date(sessionHours(session).close + HOUR_MS) };
  const parts = { url: `http://127.0.0.1:${port}`, requestsPerMinute: 6_000_000, clock };
  const provider =
    protocol === 'alpaca'
      ? createAlpacaProvider({ ...parts, tradingUrl: parts.url, keyId: 'id', secret: 'secret' })
      : createMassiveProvider({ ...parts, key: 'key' });
  const log = createLog('error');
  const directory = createDirectory({ database, clock, log, providers: [provider] });
  await directory.refresh(protocol);
  const sessions = Number(values.sessions ?? (protocol === 'alpaca' ? 400 : 40));
  const context = {
    ...{ database, clock, log, directory, sessions },
    providers: [provider],
    licenses: ALL_LICENSES,
    storeBytes: 2048 * MIB,
    lagMinutes: 30,
  };
  const rows = [['', 'requests', 'received', 'CPU', 'time', 'stored']];
  for (const name of [`first fill of ${sessions} sessions`, 'one new session']) {
    const before = await readCounts();
    const [cpu, startedAt] = [cpuSeconds(process.pid), performance.now()];
    const outcome = (await fillDays(context)).get(protocol);
    if (outcome !== 'completed') throw new Error(`${name}: ${outcome}`);
    const [cpuUsed, ms] = [cpuSeconds(process.pid) - cpu, performance.now() - startedAt];
    const after = await readCounts();
    const requests = after.requests - before.requests;
    if (session !== SESSION && requests > MAX_REQUESTS[protocol]) isOver = true;
    const { bytes } = await readStoreStats({ database });
    const sizes = [after.bytes - before.bytes, bytes].map((size) => `${(size / MIB).toFixed(1)} MiB`);
    rows.push([
      name,
      String(requests),
      sizes[0] ?? '',
      `${cpuUsed.toFixed(1)} s`,
      `${(ms / 1_000).toFixed(1)} s`,
      sizes[1] ?? '',
    ]);
    session = nextSession(session);
  }
  console.log(
    `\n${protocol}, ${values.symbols} symbols, ${kind}; at most ${MAX_REQUESTS[protocol]} requests for a session`,
  );
  console.log(formatTable(rows));
}
