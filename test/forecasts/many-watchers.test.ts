import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { listMemberships } from '../../src/workspaces/index.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  openForecastService,
  waitFor,
} from '../support/forecasts/forecast-service.ts';
import { idsOf, type WatchedForecast, watch } from '../support/forecasts/watch-forecast.ts';
import { countStatements } from '../support/platform/counted-database.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember } from '../support/workspaces/workspaces.ts';

const KEEP_ALIVE_MS = 15_000;
const MAX_STREAMS = 32;

describe(`many watchers [${testedKind}]`, () => {
  let service: ForecastService;
  let port: number;
  let statements = () => 0;
  before(async () => {
    service = await openForecastService(testedKind, {
      environment: { ALMANAC_STREAMS_PER_PROCESS: String(MAX_STREAMS), ALMANAC_LOG_LEVEL: 'info' },
      wrapDatabase: (database) => {
        const counted = countStatements(database);
        statements = counted.statements;
        return counted.database;
      },
    });
    port = await listenOnLoopback(service.app);
  });
  after(() => service?.[Symbol.asyncDispose]());

  const createOne = async (caller: Caller, fields: object = {}) => (await create(caller, fields)).data.forecast_id;

  test('are checked together, and end when a key, a session, a membership or the forecast is gone', async (context) => {
    const owner = await service.account();
    const [membership] = await listMemberships(service.database, String(owner.accountId));
    const shared = await createOne(owner, { workspace_id: membership?.id, visibility: 'workspace' });
    const [keyed, member] = [await service.account(), await service.account()];
    const browser = await service.account('free');
    await makeMember(service.database, membership?.id ?? '', member.accountId ?? '');
    const deleted = await createOne(owner);
    const own = new Map<Caller, string>([
      [keyed, await createOne(keyed)],
      [browser, await createOne(browser)],
    ]);
    const round = shortenInterval(context);
    const streams: Watching[] = [];
    const open = async (caller: Caller, id: string, name: string) => {
      for (let i = 0; i < 8; i++) streams.push({ name, ...(await watch(port, caller, id)) });
    };
    await open(keyed, own.get(keyed) ?? '', 'key');
    await open(browser, own.get(browser) ?? '', 'session');
    await open(member, shared, 'member');
    for (let i = 0; i < 4; i++) streams.push({ name: 'forecast', ...(await watch(port, owner, deleted)) });
    for (let i = 0; i < 4; i++) streams.push({ name: 'staying', ...(await watch(port, owner, shared)) });
    assert.equal(streams.length, MAX_STREAMS);
    await waitFor(async () => streams.every(({ text }) => text().includes('queued')), Boolean);

    const late = await service.account();
    const refused = await watch(port, late, await createOne(late));
    assert.deepEqual([refused.response.statusCode, refused.response.headers['retry-after']], [503, '10']);

    // Between two checks, all streams together cost the two statements of a check and those of the common reads.
    await round();
    const [started, reads] = [statements(), round.reads];
    await round();
    await round();
    assert.ok(statements() - started <= 2 * 2 + (round.reads - reads) + 2, `${statements() - started} statements`);
    assert.ok(statements() - started >= 2 * 2);

    const keys = await keyed.request<{ api_keys: { id: string }[] }>('GET', '/v1/me/api-keys');
    for (const { id } of keys.data.api_keys) await keyed.request('DELETE', `/v1/me/api-keys/${id}`);
    assert.equal((await browser.request('DELETE', '/v1/sessions/current')).status, 200);
    await sql`DELETE FROM workspace_member WHERE account_id = ${member.accountId}
      AND workspace_id = ${membership?.id}`.execute(service.database.query());
    assert.equal((await owner.request('DELETE', `${FORECASTS}/${deleted}`)).status, 200);
    // The check that may run now began before the changes.
    await round();
    await round();
    const leaving = streams.filter(({ name }) => name !== 'staying');
    await waitFor(async () => leaving.every(({ response }) => response.closed), Boolean);
    for (const { name, text, response } of leaving) {
      assert.ok(response.complete, name);
      assert.ok(!text().includes('event: error'), name);
    }
    const staying = streams.filter(({ name }) => name === 'staying');
    assert.ok(staying.every(({ response }) => !response.closed));
    for (const { response } of staying) response.destroy();
  });

  test('a client that does not read is disconnected, and resumes without a gap', async (context) => {
    const caller = await service.account();
    const id = await createOne(caller);
    const filler = 'x'.repeat(20_000);
    await sql`
      WITH added AS (
        INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
        SELECT ${id}, 1 + n, 'progress', json_build_object('filler', ${filler}::text), now()
        FROM generate_series(1, 600) AS n RETURNING number
      ) UPDATE forecast SET last_event = (SELECT max(number) FROM added) WHERE id = ${id}`.execute(
      service.database.query(),
    );
    shortenInterval(context);
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    let isReading = false;
    let hasEnded = false;
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk;
      if (!isReading && received.includes('id: 3\n')) socket.pause();
    });
    socket
      .on('error', () => {})
      .on('close', () => {
        hasEnded = true;
      });
    const [name = '', value = ''] = Object.entries(caller.credentials)[0] ?? [];
    socket.write(`GET /api${FORECASTS}/${id}/events HTTP/1.1\r\nHost: almanac\r\n${name}: ${value}\r\n\r\n`);
    await waitFor(async () => received.includes('id: 3\n'), Boolean);
    await waitFor(async () => service.logged().includes('its client does not read it'), Boolean, 20_000);
    isReading = true;
    socket.resume();
    await waitFor(async () => hasEnded, Boolean);
    const last = idsOf(received.slice(0, received.lastIndexOf('\n\n') + 2)).at(-1) ?? 0;
    assert.ok(last >= 3 && last < 601, `${last}`);
    const resumed = await watch(port, caller, id, { 'last-event-id': String(last) });
    await waitFor(async () => resumed.text().includes('id: 601\n'), Boolean);
    assert.deepEqual(
      idsOf(resumed.text()),
      Array.from({ length: 601 - last }, (_, i) => last + 1 + i),
    );
    resumed.response.destroy();
  });
});

interface Watching extends WatchedForecast {
  readonly name: string;
}

/** Shortens the interval of the checks. Returns a function that resolves when the next one begins, with a count of reads. */
function shortenInterval({ mock }: TestContext): (() => Promise<void>) & { readonly reads: number } {
  const original = globalThis.setTimeout;
  let waiting: (() => void)[] = [];
  let reads = 0;
  const shortened = (work: (...rest: unknown[]) => void, ms?: number, ...rest: unknown[]) => {
    if (ms === 250) reads += 1;
    if (ms !== KEEP_ALIVE_MS) return original(work, ms, ...rest);
    const tend = () => {
      work(...rest);
      for (const resolve of waiting) resolve();
      waiting = [];
    };
    return original(tend, 300);
  };
  mock.method(globalThis, 'setTimeout', shortened as typeof setTimeout);
  const round = () => new Promise<void>((resolve) => waiting.push(resolve));
  return Object.defineProperty(round, 'reads', { get: () => reads }) as typeof round & { reads: number };
}
