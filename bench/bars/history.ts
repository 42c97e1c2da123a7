// Compares the CPU time of a request for 500 days that the bar store answers with that of a request for 500 bundled
// days, over the whole HTTP application. Both requests freeze a snapshot that is already stored.

import { buildApi, createFoundation, createIdentityContext, MIGRATIONS } from '../../src/compose/index.ts';
import { createLog, systemClock } from '../../src/platform/index.ts';
import { makeAccount, withKey } from '../../test/support/identity/callers.ts';
import { startLoopbackMarket } from '../../test/support/market/loopback-market.ts';
import { type DatabaseKind, openTestDatabase } from '../../test/support/platform/database.ts';
import { loadTestConfig } from '../../test/support/platform/test-config.ts';
import { summarize } from '../search/measure.ts';

const BATCH = 40;

/** Returns the median CPU milliseconds of a request to each, and how often the providers were asked meanwhile. */
export async function compareHistories(
  kind: DatabaseKind,
  rounds: number,
): Promise<{ readonly bundled: number; readonly stored: number; readonly requests: number }> {
  await using fixture = await openTestDatabase(kind, { migrations: MIGRATIONS });
  await using market = await startLoopbackMarket({ days: 1_200 });
  const { database } = fixture;
  const config = loadTestConfig({
    ...market.environment,
    NODE_ENV: 'production',
    ALMANAC_RATE_PRO: '1000000',
    ALMANAC_LOG_LEVEL: 'silent',
  });
  const foundation = createFoundation({ config, log: createLog(config.logLevel), database });
  const identity = createIdentityContext({ database, clock: systemClock });
  const app = await buildApi(foundation, { siteUrl: () => 'http://127.0.0.1' });
  const headers = await withKey(identity, (await makeAccount(identity, { password: null })).id);
  const ask = async (source: string): Promise<void> => {
    const payload = { symbol: 'AAPL', timeframe: '1D', source };
    const response = await app.inject({ method: 'POST', url: '/api/market-data/stocks/history', headers, payload });
    if (response.statusCode !== 200 || response.json().count !== 500) throw new Error(response.body.slice(0, 200));
  };
  const cpuOf = async (source: string): Promise<number> => {
    const before = process.cpuUsage();
    for (let i = 0; i < BATCH; i++) await ask(source);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / BATCH;
  };
  for (const source of ['bundled', 'alpaca']) await cpuOf(source);
  const asked = market.alpaca.requests.length;
  const cpu = { bundled: [] as number[], stored: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    cpu.bundled.push(await cpuOf('bundled'));
    cpu.stored.push(await cpuOf('alpaca'));
  }
  await app.close();
  return {
    bundled: summarize(cpu.bundled).median,
    stored: summarize(cpu.stored).median,
    requests: market.alpaca.requests.length - asked,
  };
}
