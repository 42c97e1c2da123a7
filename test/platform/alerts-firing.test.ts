import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { exposeMetrics, MIGRATIONS } from '../../src/compose/index.ts';
import { ENGINE_VERSION, ForecastError } from '../../src/engine/index.ts';
import { createLog, createMailer, type Database, loadConfig, openQueue } from '../../src/platform/index.ts';
import { openApi } from '../support/api/api.ts';
import { temporaryFolder } from '../support/cli/service.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type ServiceOptions,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import {
  activateJob,
  computeResult,
  createDirectly,
  runAttempt,
  startRetries,
} from '../support/forecasts/run-attempt.ts';
import { replyWith, startReceiver } from '../support/notifications/receiver.ts';
import { openWebhookScene, WEBHOOK_DATABASE } from '../support/notifications/webhook-scene.ts';
import { AlertTimeline, withPromtool } from '../support/platform/alert-timeline.ts';
import { findChildren } from '../support/platform/child-processes.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { startMailServer } from '../support/platform/mail-server.ts';
import type { MetricsPage } from '../support/platform/metrics-page.ts';
import { openTelemetry, type TestTelemetry } from '../support/platform/telemetry.ts';

/** Opens the metrics page of this process. */
const openPage = () => openTelemetry({ ALMANAC_METRICS: '127.0.0.1:0' });

/** A service with its metrics page, and a healthy quarter of an hour on the timeline. */
interface Scene extends AsyncDisposable {
  readonly service: ForecastService;
  readonly timeline: AlertTimeline;
  readonly caller: Caller;
}

async function openScene(options: ServiceOptions = {}): Promise<Scene> {
  const stack = new AsyncDisposableStack();
  const telemetry = stack.use(await openPage());
  const service = stack.use(await openForecastService(testedKind, options));
  exposeMetrics(service, telemetry);
  const timeline = await healthyTimeline(telemetry);
  const caller = await service.account('enterprise');
  return { service, timeline, caller, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function healthyTimeline(telemetry: TestTelemetry): Promise<AlertTimeline> {
  const timeline = new AlertTimeline(telemetry.page);
  await timeline.scrape(15);
  timeline.assertFiring([]);
  return timeline;
}

/** Repeats what causes a condition, with a scrape every two minutes, until the alert has had the time to fire. */
async function repeat(timeline: AlertTimeline, cause: () => Promise<unknown>): Promise<void> {
  for (let times = 0; times < 8; times += 1) {
    await cause();
    await timeline.scrape(2);
  }
}

/** Lets jobs of a queue look as if they had waited for half an hour. */
async function ageJobs(database: Database, queue: string): Promise<void> {
  await sql`UPDATE queue.job SET start_after = now() - interval '30 minutes' WHERE name LIKE ${`${queue}%`}`.execute(
    database.query(),
  );
}

/** Opens a database with the metrics page on it. */
async function openFixture(): Promise<{ fixture: TestDatabase; telemetry: TestTelemetry } & AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const telemetry = stack.use(await openPage());
  const fixture = stack.use(await openTestDatabase(testedKind, { migrations: MIGRATIONS, queue: true }));
  exposeMetrics(fixture, telemetry);
  return { fixture, telemetry, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe(`alerts fire when their condition is caused, and no other does [${testedKind}]`, withPromtool, () => {
  test('AlmanacDown, when the process has ended', async () => {
    const { telemetry, ...scene } = await openFixture();
    await using _ = scene;
    const timeline = await healthyTimeline(telemetry);
    await telemetry.stop();
    await timeline.scrape(2);
    timeline.assertFiring([]);
    await timeline.scrape(2);
    timeline.assertFiring([{ alertname: 'AlmanacDown' }]);
  });

  test('AlmanacRequestsFailing, when requests break, and AlmanacRequestsSlow, when they take seconds', async ({
    mock,
  }) => {
    await using scene = await openFixture();
    const { app } = await openApi(scene.fixture.database, {}, (routes) => {
      routes.get('/broken', async () => {
        throw new Error('broken');
      });
      routes.get('/slow', async () => {
        slowBy += 4_000;
        return {};
      });
    });
    scene.fixture.cleanup(() => app.close());
    const get = async (url: string) => (await app.inject({ url })).statusCode;
    const failing = await healthyTimeline(scene.telemetry);
    const slow = await healthyTimeline(scene.telemetry);
    let slowBy = 0;
    const now = performance.now.bind(performance);
    mock.method(performance, 'now', () => now() + slowBy);
    await repeat(failing, async () => {
      assert.equal(await get('/broken'), 500);
      assert.equal(await get('/health/live'), 200);
    });
    failing.assertFiring([{ alertname: 'AlmanacRequestsFailing' }]);
    await failing.scrape(10);
    failing.assertFiring([]);

    await slow.scrape(15);
    await repeat(slow, async () => assert.equal(await get('/slow'), 200));
    slow.assertFiring([{ alertname: 'AlmanacRequestsSlow' }]);
  });

  test('AlmanacForecastsLate and AlmanacEngineWithoutWorker, when the worker is stopped', async () => {
    await using scene = await openScene();
    await create(scene.caller);
    await ageJobs(scene.service.database, 'forecasts');
    await scene.timeline.scrape(5);
    scene.timeline.assertFiring([]);
    await scene.timeline.scrape(2);
    scene.timeline.assertFiring([
      { alertname: 'AlmanacEngineWithoutWorker', engine: ENGINE_VERSION },
      { alertname: 'AlmanacForecastsLate' },
    ]);
  });

  test('AlmanacCreationsRefused, when the queue is late', async () => {
    await using scene = await openScene({ environment: { ALMANAC_SHED_QUEUE_SECONDS: '60' } });
    const { caller, service, timeline } = scene;
    await create(caller);
    await ageJobs(service.database, 'forecasts');
    const refuse = async () =>
      service.app.inject({
        method: 'POST',
        url: `/api${FORECASTS}`,
        headers: { ...caller.credentials },
        payload: inlineRequest({ title: 'late' }),
      });
    await waitFor(refuse, ({ statusCode }) => statusCode === 503);
    await sql`DELETE FROM queue.job WHERE start_after > now() - interval '1 minute'`.execute(service.database.query());
    await repeat(timeline, async () => assert.equal((await refuse()).statusCode, 503));
    timeline.assertFiring([
      { alertname: 'AlmanacCreationsRefused', reason: 'queue' },
      { alertname: 'AlmanacEngineWithoutWorker', engine: ENGINE_VERSION },
      { alertname: 'AlmanacForecastsLate' },
      // The refusals are 503 responses, and there are no other requests.
      { alertname: 'AlmanacRequestsFailing' },
    ]);
  });

  test('AlmanacForecastsFailing, when the models fail, but not when callers cancel', async () => {
    await using scene = await openScene();
    const { caller, service, timeline } = scene;
    const fail = async () => {
      const forecast = await activateJob(service.database, await createDirectly(service, caller));
      await runAttempt(service, forecast, async () => {
        throw new ForecastError('ALL_MODELS_FAILED', 'No model could be fitted.');
      });
    };
    const cancel = async () => {
      const { data } = await create(caller);
      assert.equal((await caller.request('POST', `${FORECASTS}/${data.forecast_id}/cancel`)).status, 200);
    };
    await repeat(timeline, cancel);
    timeline.assertFiring([]);
    await repeat(timeline, fail);
    timeline.assertFiring([{ alertname: 'AlmanacForecastsFailing' }]);
  });

  test('AlmanacEngineRestarting, when the engine is killed again and again', async () => {
    const children = findChildren(process.pid);
    await using scene = await openScene({ worker: true });
    const { caller, timeline } = scene;
    const { data } = await create(caller, { models: ['prophet', 'arima'] });
    const kill = async () => {
      const [engine] = await waitFor(
        async () => {
          await startRetries(scene.service);
          return findChildren(process.pid).filter((pid) => !children.includes(pid));
        },
        (found) => found.length > 0,
      );
      children.push(engine as number);
      process.kill(engine as number, 'SIGKILL');
    };
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      timeline.assertFiring([]);
      await kill();
      await timeline.scrape(5);
    }
    const view = () =>
      caller.request<{ status: string; error: { code: string } }>('GET', `${FORECASTS}/${data.forecast_id}`);
    const lost = await waitFor(view, (reply) => reply.data.status === 'failed');
    assert.equal(lost.data.error.code, 'WORKER_LOST');
    await timeline.scrape(5);
    timeline.assertFiring([{ alertname: 'AlmanacEngineRestarting' }]);
  });

  test('AlmanacJobsLate, when no worker takes emails', async () => {
    await using scene = await openScene();
    const { database, queue } = scene.service;
    await queue.enqueue(database, 'mail', { linkId: 'lnk_1' });
    await ageJobs(database, 'mail');
    await scene.timeline.scrape(7);
    scene.timeline.assertFiring([{ alertname: 'AlmanacJobsLate', queue: 'mail' }]);
  });

  test('AlmanacJobsFailing, when every attempt at a job breaks', async () => {
    await using scene = await openFixture();
    const { fixture, telemetry } = scene;
    const queue = await openQueue(fixture.database, { queues: [{ name: 'jobs', retryLimit: 0 }], supervise: false });
    fixture.cleanup(() => queue.stop());
    let attempts = 0;
    await queue.work('jobs', {}, async () => {
      attempts += 1;
      throw new Error('broken');
    });
    const timeline = await healthyTimeline(telemetry);
    await repeat(timeline, async () => {
      const wanted = attempts + 1;
      await queue.enqueue(fixture.database, 'jobs', {});
      await waitFor(telemetry.page, ({ value }) => {
        return value('almanac_job_duration_seconds_count', { queue: 'jobs', outcome: 'failed' }) === wanted;
      });
    });
    timeline.assertFiring([{ alertname: 'AlmanacJobsFailing', queue: 'jobs' }]);
  });

  test('AlmanacDatabaseUnreadable, when the database is closed', async () => {
    await using scene = await openFixture();
    const timeline = await healthyTimeline(scene.telemetry);
    await scene.fixture.database.close();
    await timeline.scrape(4);
    timeline.assertFiring([{ alertname: 'AlmanacDatabaseUnreadable' }]);
  });

  test('AlmanacDatabaseConnectionsShort, when transactions hold all connections', async () => {
    await using scene = await openFixture();
    const { fixture, telemetry } = scene;
    const timeline = await healthyTimeline(telemetry);
    const gate = Promise.withResolvers<void>();
    const held = Array.from({ length: 12 }, () => fixture.database.transaction(() => gate.promise));
    await waitFor(
      async () => fixture.database.connections(),
      ({ waiting }) => waiting > 0,
    );
    const connections = () => {
      // The queues can then be read, as when connections are short and not stuck.
      setImmediate(gate.resolve);
      return fixture.database.connections();
    };
    exposeMetrics({ database: { ...fixture.database, connections, query: () => fixture.database.query() } }, telemetry);
    await timeline.scrape(6);
    await Promise.all(held);
    timeline.assertFiring([{ alertname: 'AlmanacDatabaseConnectionsShort' }]);
    await timeline.scrape(1);
    timeline.assertFiring([]);
  });

  test('AlmanacEventLoopBlocked, when computations block the main thread', async () => {
    await using scene = await openFixture();
    const { page } = scene.telemetry;
    const delay = ({ value }: MetricsPage) => Number(value('nodejs_eventloop_lag_p99_seconds'));
    let isBlocking = false;
    const read = async () => {
      if (!isBlocking) return waitFor(page, (found) => delay(found) < 0.3);
      // The delay is measured from one turn of the loop to the next.
      await sleep(30);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
      await sleep(30);
      return page();
    };
    const timeline = new AlertTimeline(read, { withEventLoop: true });
    await timeline.scrape(15);
    timeline.assertFiring([]);
    isBlocking = true;
    await timeline.scrape(6);
    timeline.assertFiring([{ alertname: 'AlmanacEventLoopBlocked' }]);
  });

  test('AlmanacMailsFailing, when the mail server refuses, but not when one address of many is wrong', async () => {
    await using scene = await openFixture();
    let isRefusing = false;
    await using server = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(isRefusing || address.startsWith('absent') ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
    });
    const settings = { ALMANAC_SMTP_URL: server.url(), ALMANAC_MAIL_FROM: 'almanac@mail.example' };
    const mailer = createMailer(loadConfig(settings), createLog('silent'));
    const send = (name: string) =>
      mailer.send({ to: `${name}@example.org`, subject: 'Hello', text: 'Hello.\n' }).catch(() => {});
    const timeline = await healthyTimeline(scene.telemetry);
    await repeat(timeline, () => Promise.all(['absent', 'a', 'b', 'c'].map(send)));
    timeline.assertFiring([]);
    isRefusing = true;
    await repeat(timeline, () => Promise.all(['a', 'b'].map(send)));
    timeline.assertFiring([{ alertname: 'AlmanacMailsFailing' }]);
  });

  test('AlmanacWebhooksFailing, when receivers cannot be reached', async () => {
    await using telemetry = await openPage();
    await using fixture = await openTestDatabase(testedKind, WEBHOOK_DATABASE);
    const webhooks = await openWebhookScene(fixture);
    await using receiver = await startReceiver(replyWith(500));
    exposeMetrics(fixture, telemetry);
    const timeline = await healthyTimeline(telemetry);
    await repeat(timeline, async () => {
      const caller = await webhooks.account();
      const { webhook } = await webhooks.webhook(caller, `${receiver.origin}/hook`);
      await webhooks.match(await webhooks.filter(caller));
      await webhooks.dispatch();
      const [delivery] = await webhooks.deliveries(webhook.id);
      await webhooks.attempt(delivery?.id ?? '');
      // The clock of the scene is not that of the queue, so its jobs would look late.
      await sql`DELETE FROM queue.job`.execute(fixture.database.query());
    });
    timeline.assertFiring([]);
    await timeline.scrape(10);
    timeline.assertFiring([{ alertname: 'AlmanacWebhooksFailing' }]);
  });

  test('AlmanacProofsNotStamped, when the chain cannot be reached for a day', async () => {
    const folder = temporaryFolder();
    after(() => rmSync(folder, { recursive: true, force: true }));
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, `0x${'34'.repeat(32)}\n`, { mode: 0o600 });
    const environment = { ...UNREACHABLE_CHAIN, ALMANAC_CHAIN_KEY_FILE: keyFile };
    await using telemetry = await openPage();
    await using service = await openForecastService(testedKind, { environment });
    exposeMetrics(service, telemetry);
    const timeline = new AlertTimeline(telemetry.page, { stepMinutes: 30 });
    await timeline.scrape(24 * 60);
    const forecast = await activateJob(service.database, await createDirectly(service, await service.account()));
    const result = await computeResult();
    await runAttempt(service, forecast, async () => result);
    await timeline.scrape(23 * 60);
    timeline.assertFiring([]);
    await timeline.scrape(2 * 60);
    timeline.assertFiring([{ alertname: 'AlmanacProofsNotStamped' }]);
  });
});

/** A chain at a port that no program listens on. */
const UNREACHABLE_CHAIN = {
  ALMANAC_CHAIN_URL: 'http://127.0.0.1:9',
  ALMANAC_CHAIN_ID: '31337',
  ALMANAC_CHAIN_CONTRACT: `0x${'12'.repeat(20)}`,
};
