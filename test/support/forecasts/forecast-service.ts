import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '../../../src/calendar/index.ts';
import { createFoundation, MIGRATIONS, openData, QUEUES, startWorker } from '../../../src/compose/index.ts';
import { checkpointFolders, type EngineBundles, openModelCheckpoints } from '../../../src/compute/index.ts';
import type { Plan } from '../../../src/contract/index.ts';
import { type ForecastContext, openForecastKeys } from '../../../src/forecasts/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import {
  createLog,
  type Database,
  type DatabaseOptions,
  openQueue,
  type Queue,
  systemClock,
} from '../../../src/platform/index.ts';
import { openApi } from '../api/api.ts';
import { type Reply, requestAs, type SendRequest } from '../api/request-as.ts';
import { tinyCheckpoints, tinyDataFolder } from '../compute/tiny-checkpoints.ts';
import { type Credentials, makeAccount, withGuest, withKey, withSession } from '../identity/callers.ts';
import { type DatabaseKind, openTestDatabase } from '../platform/database.ts';
import { loadTestConfig } from '../platform/test-config.ts';

/** Tests of forecasts do not test the rate limits. */
const UNLIMITED = Object.fromEntries(
  ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']),
);

/** A caller of the service. */
export interface Caller {
  readonly credentials: Credentials;
  /** null: a guest */
  readonly accountId: string | null;
  readonly request: SendRequest;
}

/** The HTTP edge with a queue and, on request, a worker in the same process. */
export interface ForecastService extends AsyncDisposable {
  readonly app: FastifyInstance;
  /** Returns every line that the edge has logged so far. */
  readonly logged: () => string;
  readonly database: Database;
  /** Options to open the same database again. */
  readonly location: DatabaseOptions;
  readonly queue: Queue;
  readonly identity: IdentityContext;
  /** The context with which the edge creates forecasts. */
  readonly forecasts: ForecastContext;
  /** Creates an account with an API key; an account of the free plan, which cannot use keys, has a session. */
  account(plan?: Plan): Promise<Caller>;
  guest(): Promise<Caller>;
}

/** A folder in which nothing is installed. */
export const EMPTY_FOLDER = join(tmpdir(), 'almanac-no-such-folder');

export interface ServiceOptions {
  readonly worker?: boolean;
  /** The folder in which checkpoints are installed. Without it and `bundled`, the tiny model is the only checkpoint. */
  readonly dataFolder?: string;
  /** The folder of the bundled checkpoints, if it is not the default one. */
  readonly bundled?: string;
  /** The engines that can run, if they are not those of the build. Checkpoints are then not shared with other services. */
  readonly engines?: EngineBundles;
  /** More settings of the edge. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Wraps the database that the edge uses. */
  readonly wrapDatabase?: (database: Database) => Database;
}

export async function openForecastService(
  kind: DatabaseKind,
  { worker = false, dataFolder, bundled, engines, environment: settings, wrapDatabase }: ServiceOptions = {},
): Promise<ForecastService> {
  const fixture = await openTestDatabase(kind, { migrations: MIGRATIONS, queue: true });
  const { database } = fixture;
  const log = createLog('silent');
  const isTiny = dataFolder === undefined && bundled === undefined;
  const data = isTiny ? tinyDataFolder() : (dataFolder ?? EMPTY_FOLDER);
  const environment = { ...UNLIMITED, ALMANAC_DATA: data, ...settings };
  const config = loadTestConfig({ NODE_ENV: 'test', ...environment });
  const folders = { ...checkpointFolders(data), ...(bundled && { bundled }) };
  const isShared = isTiny && engines === undefined;
  const checkpoints = isShared ? tinyCheckpoints() : openModelCheckpoints(folders, { log, engines });
  const foundation = createFoundation({ config, log, database, checkpoints });
  const { identity, licenses } = foundation;
  const running = worker ? await startWorker(foundation) : null;
  const queue = running?.queue ?? (await openQueue(database, { queues: QUEUES, supervise: false }));
  fixture.cleanup(() => (running ?? queue).stop({ timeoutMs: 1_000 }));
  const edge = wrapDatabase?.(database) ?? database;
  const { app, logged } = await openApi(edge, environment, undefined, queue, checkpoints);
  fixture.cleanup(() => app.close());

  const caller = (credentials: Credentials, accountId: string | null): Caller => ({
    credentials,
    accountId,
    request: requestAs(app, credentials),
  });
  const { sources, search } = openData({ database, clock: systemClock, log, providers: [], adapters: [], licenses });
  return {
    app,
    logged,
    database,
    location: fixture.location,
    queue,
    identity,
    forecasts: {
      database,
      clock: systemClock,
      sources,
      queue,
      checkpoints,
      licenses,
      storage: config.storage,
      stamps: foundation.stamps,
      cursorKey: search.cursorKey,
      unpaidCpuSeconds: config.unpaidCpuSeconds,
      load: { admitForecast: async () => {}, admitUpload: () => {} },
      ...openForecastKeys(database),
    },
    account: async (plan = 'pro') => {
      const { id, email } = await makeAccount(identity, plan === 'free' ? { plan } : { plan, password: null });
      return caller(plan === 'free' ? await withSession(identity, email) : await withKey(identity, id), id);
    },
    guest: async () => caller(await withGuest(identity), null),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** Returns daily rows with a trend and a small wave. */
export function dailyPoints(count = 40, first = Date.UTC(2024, 0, 1)) {
  return Array.from({ length: count }, (_, i) => ({
    timestamp: new Date(first + i * DAY_MS).toISOString(),
    value: 100 + i / 2 + 3 * Math.sin(i * 1.7),
  }));
}

/** Returns a small request with inline rows. */
export function inlineRequest(fields: object = {}): object {
  return { source: { type: 'inline', points: dailyPoints() }, horizon: 3, models: ['theta', 'ets'], ...fields };
}

export interface Started {
  readonly forecast_id: string;
  readonly slug: string;
  readonly status: string;
  readonly progress: object;
  readonly status_url: string;
  readonly result_url: string;
}

export const FORECASTS = '/v1/ensemble-forecasts';

export function create({ request }: Pick<Caller, 'request'>, fields: object = {}): Promise<Reply<Started>> {
  return request<Started>('POST', FORECASTS, inlineRequest(fields));
}

/** Returns what `read` returns as soon as `isReady` accepts it. Throws after `timeoutMs`. */
export async function waitFor<Found>(
  read: () => Promise<Found>,
  isReady: (found: Found) => boolean,
  timeoutMs = 60_000,
): Promise<Found> {
  const end = Date.now() + timeoutMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(1.5 * pauseMs, 100)) {
    const found = await read();
    if (isReady(found)) return found;
    if (Date.now() > end) {
      throw new Error(
        `The expected state was not reached within ${timeoutMs} ms: ${JSON.stringify(found)?.slice(0, 500)}`,
      );
    }
    await sleep(pauseMs);
  }
}
