import type { Account } from '../../../../src/access/index.ts';
import { buildApi, createFoundation, MIGRATIONS, openData, QUEUES } from '../../../../src/compose/index.ts';
import { createInlineRunner, createModels, forecast } from '../../../../src/engine/index.ts';
import { checkDueOutcomes, FORECAST_QUEUE, runForecast } from '../../../../src/forecasts/index.ts';
import { createLog, openQueue } from '../../../../src/platform/index.ts';
import { SITE_URL } from '../../api/api.ts';
import { requestAs, type SendRequest } from '../../api/request-as.ts';
import { tinyCheckpoints, tinyDataFolder } from '../../compute/tiny-checkpoints.ts';
import { makeAccount, withKey } from '../../identity/callers.ts';
import type { MovableClock } from '../../identity/identity.ts';
import { type DatabaseKind, openTestDatabase } from '../../platform/database.ts';
import { loadTestConfig } from '../../platform/test-config.ts';
import { personalWorkspace, principalOf } from '../../workspaces/workspaces.ts';
import { activateJob, fakeEngine } from '../run-attempt.ts';
import type { Market } from './market.ts';
import { createEconomyAdapter, createPairProvider, createStockProvider } from './providers.ts';

/** An account that makes forecasts. */
export interface Forecaster {
  readonly principal: Account;
  readonly request: SendRequest;
  /** Returns the text of a reply, such as a CSV file. Throws unless the status is 200. */
  readText(path: string): Promise<string>;
  /** The personal workspace of the account, for its files. */
  readonly workspaceId: string;
}

/** The service on the clock of the market: its API, and the work of a worker that the simulation starts. */
export interface MarketYearService extends AsyncDisposable {
  readonly clock: MovableClock;
  forecaster(): Promise<Forecaster>;
  /** Runs a queued forecast to its end. */
  run(id: string): Promise<void>;
  /** Collects the outcomes that are due, as the worker does every few minutes. */
  collectOutcomes(): Promise<number>;
}

/** The year passes in seconds, so the limits of a minute do not apply. */
const UNLIMITED = Object.fromEntries(['ANONYMOUS', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']));
const LIMIT_MS = 60_000;

export async function openMarketYear(
  kind: DatabaseKind,
  market: Market,
  clock: MovableClock,
): Promise<MarketYearService> {
  const fixture = await openTestDatabase(kind, { migrations: MIGRATIONS, queue: true });
  const { database } = fixture;
  const log = createLog('silent');
  const now = () => clock.now().getTime();
  const providers = [createStockProvider(market.stocks, now), createPairProvider(market.pair, now)];
  const adapters = [createEconomyAdapter(market.economy, now)];
  const checkpoints = tinyCheckpoints();
  const config = loadTestConfig({ NODE_ENV: 'test', ALMANAC_DATA: tinyDataFolder(), ...UNLIMITED });
  const foundation = createFoundation({ config, log, database, clock, checkpoints, providers, adapters });
  const { identity, licenses, stamps } = foundation;
  const queue = await openQueue(database, { queues: QUEUES, supervise: false });
  fixture.cleanup(() => queue.stop({ timeoutMs: 1_000 }));
  const app = await buildApi(foundation, { siteUrl: () => SITE_URL, queue });
  fixture.cleanup(() => app.close());
  await app.ready();
  const { barStoreBytes } = config.market;
  const { sources } = openData({ database, clock, log, providers, adapters, licenses, barStoreBytes });
  // In this thread: the models are cheap, and one thread computes the same digits everywhere.
  const runner = createInlineRunner(createModels({}));
  const engine = fakeEngine((request, { signal } = {}) => forecast(request, { runner, signal }));

  return {
    clock,
    async forecaster() {
      const account = await makeAccount(identity, { plan: 'enterprise', password: null });
      const credentials = await withKey(identity, account.id);
      return {
        principal: principalOf(account),
        request: requestAs(app, credentials),
        workspaceId: (await personalWorkspace(database, account.id)).id,
        async readText(path) {
          const reply = await app.inject({ url: `/api${path}`, headers: credentials });
          if (reply.statusCode !== 200) throw new Error(`${path} was answered ${reply.statusCode}: ${reply.body}`);
          return reply.body;
        },
      };
    },
    async run(id) {
      const { job_id } = await activateJob(database, id);
      const job = { id: job_id, attempt: 0, data: { forecast_id: id }, signal: new AbortController().signal };
      await runForecast({ database, clock, engine, checkpoints, log, stamps, limitMs: LIMIT_MS }, job);
      await queue.complete(database, FORECAST_QUEUE, job);
    },
    collectOutcomes: () => checkDueOutcomes({ database, clock, sources }, { log }),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}
