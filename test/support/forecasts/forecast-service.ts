import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { licensesWithout } from '../../../src/access/index.ts';
import { identityOf, MIGRATIONS, openData, QUEUES, startWorker } from '../../../src/compose/index.ts';
import { checkpointFolders, openModelCheckpoints } from '../../../src/compute/index.ts';
import type { Plan } from '../../../src/contract/index.ts';
import type { JobContext } from '../../../src/forecasts/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import {
  createLog,
  type Database,
  loadConfig,
  openQueue,
  type Queue,
  systemClock,
} from '../../../src/platform/index.ts';
import { openApi } from '../api/api.ts';
import { type Ask, askAs, type Reply } from '../api/ask.ts';
import { asGuest, type Credentials, makeAccount, withKey, withSession } from '../identity/callers.ts';
import { type DatabaseKind, openTestDatabase } from '../platform/database.ts';

/** Nothing here is about the limits of requests a minute. */
const UNLIMITED = Object.fromEntries(
  ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']),
);

/** A caller of the service. */
export interface Person {
  readonly credentials: Credentials;
  /** Null: a guest. */
  readonly accountId: string | null;
  readonly ask: Ask;
}

/** The HTTP edge with a queue, and where it is wanted a worker in the same process. */
export interface ForecastService extends AsyncDisposable {
  readonly app: FastifyInstance;
  /** Every line that the edge has logged so far. */
  readonly logged: () => string;
  readonly database: Database;
  readonly queue: Queue;
  readonly identity: IdentityContext;
  /** What the edge creates forecasts with. */
  readonly jobs: JobContext;
  /** An account with a key; a free one, which has no use for keys, with a session. */
  account(plan?: Plan): Promise<Person>;
  guest(): Promise<Person>;
}

/** Nothing is installed there. */
export const NO_FOLDER = join(tmpdir(), 'almanac-no-such-folder');

export interface ServiceOptions {
  readonly worker?: boolean;
  /** Where checkpoints are installed. */
  readonly dataFolder?: string;
  /** Where the bundled ones are, if not where they are. */
  readonly bundled?: string;
  /** Further settings of the edge. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the edge is to use instead of the database itself, which goes on below it. */
  readonly watch?: (database: Database) => Database;
}

export async function openForecastService(
  kind: DatabaseKind,
  { worker = false, dataFolder = NO_FOLDER, bundled, environment: further, watch }: ServiceOptions = {},
): Promise<ForecastService> {
  const fixture = await openTestDatabase(kind, { migrations: MIGRATIONS, queue: true });
  const { database } = fixture;
  const log = createLog('silent');
  const identity = identityOf(database);
  const environment = { ...UNLIMITED, ALMANAC_DATA: dataFolder, ...further };
  const config = loadConfig({ NODE_ENV: 'test', ...environment });
  const folders = checkpointFolders(dataFolder);
  const checkpoints = openModelCheckpoints({ ...folders, ...(bundled && { bundled }) }, { log });
  const worked = worker ? await startWorker({ config, log, database, identity, checkpoints }) : null;
  const queue = worked?.queue ?? (await openQueue(database, { queues: QUEUES, supervise: false }));
  fixture.cleanup(() => (worked ?? queue).stop({ timeoutMs: 1_000 }));
  const edge = watch?.(database) ?? database;
  const { app, logged } = await openApi(edge, environment, undefined, queue, checkpoints);
  fixture.cleanup(() => app.close());

  const person = (credentials: Credentials, accountId: string | null): Person => ({
    credentials,
    accountId,
    ask: askAs(app, credentials),
  });
  const licenses = licensesWithout(config.deniedLicenses);
  const { sources, search } = openData({ database, clock: systemClock, log, providers: [], licenses });
  return {
    app,
    logged,
    database,
    queue,
    identity,
    jobs: {
      database,
      clock: systemClock,
      sources,
      queue,
      checkpoints,
      licenses,
      cursorKey: search.cursorKey,
    },
    account: async (plan = 'pro') => {
      const { id, email } = await makeAccount(identity, plan === 'free' ? { plan } : { plan, password: null });
      return person(plan === 'free' ? await withSession(identity, email) : await withKey(identity, id), id);
    },
    guest: async () => person(await asGuest(identity), null),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

const DAY = 86_400_000;

/** Daily rows with a trend and a small wave. */
export function dailyPoints(count = 40, first = Date.UTC(2024, 0, 1)) {
  return Array.from({ length: count }, (_, i) => ({
    timestamp: new Date(first + i * DAY).toISOString(),
    value: 100 + i / 2 + 3 * Math.sin(i * 1.7),
  }));
}

/** A small request of inline rows. */
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

export function create({ ask }: Person, fields: object = {}): Promise<Reply<Started>> {
  return ask<Started>('POST', FORECASTS, inlineRequest(fields));
}

/** What `look` finds as soon as `isThere` says so. Throws after `timeoutMs`. */
export async function eventually<Found>(
  look: () => Promise<Found>,
  isThere: (found: Found) => boolean,
  timeoutMs = 60_000,
): Promise<Found> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (isThere(found)) return found;
    if (Date.now() > end) throw new Error(`It did not happen within ${timeoutMs} ms.`);
    await sleep(20);
  }
}
