import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { DAY_MS } from '../../src/calendar/index.ts';
import { createFoundation, runCleanup } from '../../src/compose/index.ts';
import { createLog, systemClock } from '../../src/platform/index.ts';
import { completeForecast } from '../support/feeds/feed-scene.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { readAllRows } from '../support/platform/rows.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';
import { EVENTS, eventRequest, YES } from '../support/scout/events.ts';

/** Tables whose rows no age removes. Forecasts are compared by their responses. */
const KEPT_TABLES = [
  'account',
  'ledger_entry',
  'proof',
  'snapshot',
  'forecast_outcome',
  'forecast_outcome_row',
  'event_forecast',
  'event_revision',
  'event_audit',
  'screener_run',
  'webhook',
].map((name) => `public.${name}`);

interface Response {
  readonly status: number;
  readonly body: string;
}

let service: ForecastService;

describe(`cleanup [${testedKind}]`, () => {
  before(async () => {
    service = await openForecastService(testedKind, {
      environment: { ALMANAC_OUTBOUND_ALLOW: '127.0.0.0/8' },
    });
  });
  after(() => service?.[Symbol.asyncDispose]());

  const runAfter = (days: number) => {
    const { database, queue } = service;
    const clock = { now: () => new Date(systemClock.now().getTime() + days * DAY_MS) };
    const foundation = createFoundation({ config: loadTestConfig(), log: createLog('silent'), database, clock });
    return runCleanup(foundation, queue);
  };

  test('changes no balance, and no response but those whose rows have an age limit', async () => {
    const caller = await service.account();
    const completed = (await completeForecast(service, caller)).id;
    const canceled = (await create(caller)).data.forecast_id;
    await caller.request('POST', `${FORECASTS}/${canceled}/cancel`);
    const waiting = (await create(caller)).data.forecast_id;
    const reproduced = await caller.request<{ forecast_id: string }>('POST', `${FORECASTS}/${completed}/reproduce`);
    const { data: event } = await caller.request<{ forecast_id: string }>('POST', EVENTS, eventRequest());
    await caller.request('POST', `${EVENTS}/${event.forecast_id}/resolve`, YES);
    const hook = await caller.request<{ id: string }>('POST', '/v1/me/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      types: ['forecast.completed'],
    });
    await caller.request('POST', `/v1/me/webhooks/${hook.data.id}/test`);
    await sql`UPDATE webhook_delivery SET state = 'failed', ended_at = created_at, next_attempt_at = NULL`.execute(
      service.database.query(),
    );
    const forecast = (id: string, suffix = '') => `${FORECASTS}/${id}${suffix}`;
    // Each path with the age from which a part of its response is missing.
    const paths: readonly (readonly [path: string, days: number])[] = [
      [forecast(completed), Number.POSITIVE_INFINITY],
      [forecast(completed, '/proof'), Number.POSITIVE_INFINITY],
      [forecast(completed, '/outcome'), Number.POSITIVE_INFINITY],
      [forecast(canceled), 30],
      [forecast(waiting), Number.POSITIVE_INFINITY],
      [forecast(reproduced.data.forecast_id), Number.POSITIVE_INFINITY],
      [FORECASTS, Number.POSITIVE_INFINITY],
      [`${EVENTS}/${event.forecast_id}`, Number.POSITIVE_INFINITY],
      [`${EVENTS}/${event.forecast_id}/resolution`, Number.POSITIVE_INFINITY],
      ['/v1/forecast/track-record', Number.POSITIVE_INFINITY],
      ['/v1/scout/scoreboard', Number.POSITIVE_INFINITY],
      ['/v1/me/access', Number.POSITIVE_INFINITY],
      ['/v1/me/usage', Number.POSITIVE_INFINITY],
      ['/v1/me/webhooks', Number.POSITIVE_INFINITY],
      [`/v1/me/webhooks/${hook.data.id}/deliveries`, 30],
      ['/v1/me/security-events', 400],
      [forecast(completed, '/events'), 30],
      [forecast(canceled, '/events'), 30],
    ];
    const readPaths = () => Promise.all(paths.map(([path]) => read(caller, path)));
    const readTables = async () => {
      const rows = await readAllRows(service.database);
      return KEPT_TABLES.map((name) => [name, rows[name]] as const);
    };
    const [responses, tables] = [await readPaths(), await readTables()];
    for (const [i, { status, body }] of responses.entries()) assert.equal(status, 200, `${paths[i]?.[0]} ${body}`);
    for (const [name, rows] of tables) assert.ok(rows, name);

    const random = createSeededRandom(8);
    const ages = [0, 29, 31, 399, 402, 1_000].map((days) => days + random() / 2);
    for (const days of ages) {
      await runAfter(days);
      const now = await readPaths();
      for (const [i, [path, limit]] of paths.entries()) {
        const isSame = masked(now[i]) === masked(responses[i]);
        assert.equal(isSame, days < limit, `${path} after ${days} days: ${now[i]?.body}`);
        assert.equal(now[i]?.status, 200, path);
      }
      if (days < 30) assert.deepEqual(await readTables(), tables);
      else assert.deepEqual(await keptSnapshots(await readTables()), await keptSnapshots(tables));
    }
    // A client that resumes gets the final state, whatever it had.
    for (const [id, kind] of [
      [completed, 'completed'],
      [canceled, 'failed'],
    ] as const) {
      const kinds = async (lastEventId?: number) =>
        [...(await read(caller, forecast(id, '/events'), lastEventId)).body.matchAll(/^event: (.+)$/gm)].map(
          ([, found]) => found,
        );
      assert.deepEqual([await kinds(), await kinds(0), await kinds(1)], [[kind], [kind], [kind]]);
      const last = Number(/^id: (\d+)$/m.exec((await read(caller, forecast(id, '/events'))).body)?.[1]);
      assert.equal((await read(caller, forecast(id, '/events'), last)).status, 204);
    }
    assert.equal((await caller.request('POST', `${FORECASTS}/${completed}/reproduce`)).status, 202);
  });

  test('a page of security events whose older events are removed ends there', async () => {
    const caller = await service.account();
    const { accountId } = caller;
    await sql`
      INSERT INTO security_event (id, account_id, kind, at, details)
      SELECT 'sev_' || lpad(n::text, 26, '0'), ${accountId}, 'signed_in', now() - (500 - 40 * n) * interval '1 day', '{}'
      FROM generate_series(1, 10) AS n`.execute(service.database.query());
    const read = (cursor = '') =>
      caller.request<{ events: { at: string }[]; next_cursor: string | null }>(
        'GET',
        `/v1/me/security-events?limit=9${cursor && `&cursor=${cursor}`}`,
      );
    const first = (await read()).data;
    assert.equal(first.events.length, 9);
    assert.ok(first.next_cursor);
    await runAfter(0);
    const rest = (await read(first.next_cursor)).data;
    assert.deepEqual([rest.events, rest.next_cursor], [[], null]);
    assert.equal((await read()).data.events.length, 8 + 1);
  });
});

async function read(caller: Caller, path: string, lastEventId?: number): Promise<Response> {
  const headers = { ...caller.credentials, ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }) };
  const { statusCode, body } = await service.app.inject({ url: `/api${path}`, headers });
  return { status: statusCode, body };
}

/** Leaves out the requests of the minute, and the bytes, which the snapshots of failed forecasts are a part of. */
function masked(response: Response | undefined): string {
  return String(response?.body).replace(/"(?:requests|storage)":\{[^}]*\}/g, '');
}

/** Leaves out the snapshots of failed forecasts, which have an age limit. */
async function keptSnapshots(tables: readonly (readonly [string, readonly string[] | undefined])[]) {
  const { rows } = await sql<{ id: string }>`SELECT snapshot_id AS id FROM forecast`.execute(service.database.query());
  const used = rows.map(({ id }) => id).filter((id) => id !== null);
  return tables.map(([name, rows = []]) =>
    name === 'public.snapshot' ? rows.filter((row) => used.some((id) => row.includes(id))) : rows,
  );
}
