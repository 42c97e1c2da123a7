import { sql } from 'kysely';
import { buildApi, createFoundation, MIGRATIONS, startWorker } from '../../../src/compose/index.ts';
import { type Clock, createLog, type Database } from '../../../src/platform/index.ts';
import { listenOnLoopback } from '../api/http.ts';
import { tinyCheckpoints, tinyDataFolder } from '../compute/tiny-checkpoints.ts';
import { waitFor } from '../forecasts/forecast-service.ts';
import { makeAccount, withGuest, withKey } from '../identity/callers.ts';
import type { MovableClock } from '../identity/identity.ts';
import { openTestDatabase, testedKind } from '../platform/database.ts';
import { type MailServer, startMailServer } from '../platform/mail-server.ts';
import { loadTestConfig } from '../platform/test-config.ts';

/** A reply of the service over HTTP. */
export interface ServiceReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it checks
  readonly body: any;
  readonly text: string;
}

export type Send = (method: 'GET' | 'POST', path: string, body?: object, signal?: AbortSignal) => Promise<ServiceReply>;

/** The whole service on a simulated clock: the API on a port, a worker, and a mail server that receives its emails. */
export interface MarketService extends AsyncDisposable {
  readonly clock: Clock;
  readonly database: Database;
  readonly mail: MailServer;
  /** Creates an account. Its requests go over HTTP. */
  account(spec?: { readonly administrator?: boolean }): Promise<{ readonly email: string; readonly send: Send }>;
  /** Creates a guest. */
  guest(): Promise<Send>;
  /** Opens a page outside the API, without a credential. */
  open(path: string): Promise<{ readonly status: number; readonly text: string }>;
  /** Moves the clock to an instant, runs every recurring job and waits until no job is left. */
  moveTo(instant: string): Promise<void>;
  /** Waits until no job is left. Throws if one failed. */
  finishJobs(): Promise<void>;
}

const UNLIMITED = Object.fromEntries(
  ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']),
);

/** Opens the service with the settings of a test, and runs every recurring job. */
export async function openMarketService(
  clock: MovableClock,
  environment: Readonly<Record<string, string>>,
): Promise<MarketService> {
  await using opened = new AsyncDisposableStack();
  const { database } = opened.use(await openTestDatabase(testedKind, { migrations: MIGRATIONS, queue: true }));
  const mail = opened.use(await startMailServer());
  const config = loadTestConfig({
    NODE_ENV: 'test',
    ALMANAC_DATA: tinyDataFolder(),
    ALMANAC_SMTP_URL: mail.url(),
    ALMANAC_MAIL_FROM: 'Almanac <almanac@mail.example>',
    ALMANAC_FIT_THREADS: '1',
    ...UNLIMITED,
    ...environment,
  });
  const log = createLog('silent');
  const foundation = createFoundation({ config, log, database, clock, checkpoints: tinyCheckpoints() });
  opened.defer(() => foundation.warehouse.close());
  let url = '';
  const siteUrl = () => url;
  const worker = await startWorker(foundation, { siteUrl });
  opened.defer(() => worker.stop({ timeoutMs: 1_000 }));
  const app = await buildApi(foundation, { siteUrl, queue: worker.queue });
  opened.defer(() => app.close());
  url = `http://127.0.0.1:${await listenOnLoopback(app)}`;

  // The clock of the test decides when recurring jobs run. Without schedules, the clock of the machine adds none.
  const schedules = await sql<{ name: string }>`SELECT name FROM queue.schedule ORDER BY name`.execute(
    database.query(),
  );
  const recurring = schedules.rows.map(({ name }) => name);
  for (const name of recurring) await worker.queue.unschedule(name);

  const finishJobs = async () => {
    const read = async () => {
      const { rows } = await sql<{ name: string; state: string }>`
        SELECT name, state::text FROM queue.job WHERE state <> 'completed' AND start_after < now() + interval '1 minute'
      `.execute(database.query());
      return rows;
    };
    const left = await waitFor(read, (rows) => rows.every(({ state }) => state === 'failed'));
    if (left.length > 0) throw new Error(`These jobs failed: ${left.map(({ name }) => name).join(', ')}.`);
  };
  const runJobs = async () => {
    for (const name of recurring) {
      await worker.queue.enqueue(database, name, {});
      await finishJobs();
    }
  };
  // The clock of the machine may have started some jobs, but not always. Now all have run.
  await finishJobs();
  await runJobs();

  const sendWith =
    (credentials: Readonly<Record<string, string>>): Send =>
    async (method, path, body, signal) => {
      const headers = { ...credentials, 'content-type': 'application/json' };
      const init = { method, headers, ...(signal && { signal }), ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}/api${path}`, init);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
    };

  const kept = opened.move();
  return {
    clock,
    database,
    mail,
    async open(path) {
      const response = await fetch(`${url}${path}`);
      return { status: response.status, text: await response.text() };
    },
    async account(spec = {}) {
      const { id, email } = await makeAccount(foundation.identity, { password: null, ...spec });
      return { email, send: sendWith(await withKey(foundation.identity, id)) };
    },
    guest: async () => sendWith(await withGuest(foundation.identity)),
    async moveTo(instant) {
      const ms = Date.parse(instant) - clock.now().getTime();
      if (!(ms > 0)) throw new RangeError(`${instant} is not after ${clock.now().toISOString()}.`);
      clock.advance(ms);
      await runJobs();
    },
    finishJobs,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
