import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openApi } from '../support/api/api.ts';
import { requestAs } from '../support/api/request-as.ts';
import {
  type Caller,
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

interface History {
  readonly forecast_id: string;
  readonly units: string | null;
  readonly title: string | null;
  readonly license: string | null;
  readonly count: number;
  readonly truncated: boolean;
  readonly rows: readonly { readonly timestamp: string; readonly value: number | null }[];
}

const STOCK = { type: 'market', symbol: '^GSPC', timeframe: '1D' };

describe(`the history of a forecast [${testedKind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(testedKind);
  });
  after(() => service?.[Symbol.asyncDispose]());

  const read = ({ request }: Pick<Caller, 'request'>, id: string, query = '') =>
    request<History>('GET', `${FORECASTS}/${id}/history${query}`);

  async function make(caller: Caller, fields: object = {}): Promise<string> {
    const { data, status, body } = await create(caller, fields);
    assert.equal(status, 202, body);
    return data.forecast_id;
  }

  async function copy({ request }: Caller, id: string): Promise<string> {
    const { data, status, body } = await request<{ forecast_id: string }>('POST', `${FORECASTS}/${id}/reproduce`);
    assert.equal(status, 202, body);
    return data.forecast_id;
  }

  test('has the latest rows, also while the forecast is queued, and by slug', async () => {
    const caller = await service.account();
    const { forecast_id: id, slug } = (await create(caller)).data;
    const all = await read(caller, id);
    assert.equal(all.status, 200, all.body);
    const points = dailyPoints();
    assert.deepEqual(all.data.rows, points);
    assert.deepEqual([all.data.forecast_id, all.data.count, all.data.truncated], [id, 40, false]);
    const last = await read(caller, slug, '?limit=2');
    assert.deepEqual([last.data.rows, last.data.count, last.data.truncated], [points.slice(-2), 2, true]);
  });

  test('refuses hostile limits and ids by their names', async () => {
    const caller = await service.account();
    const id = await make(caller);
    for (const query of [
      '?limit=0',
      '?limit=-1',
      '?limit=1.5',
      '?limit=50001',
      '?limit=x',
      '?limit=',
      '?limit=1&limit=2',
    ])
      assert.deepEqual([(await read(caller, id, query)).status, query], [400, query]);
    const unknown = await read(caller, id, '?rows=3');
    assert.deepEqual([unknown.status, /rows/.test(unknown.body)], [400, true]);
    for (const name of ['no-such-forecast', '%00', '..%2f', 'x'.repeat(101)])
      assert.ok([400, 404].includes((await read(caller, name)).status), name);
  });

  test('does not publish rows that were sent with a public forecast, not even through copies of it', async () => {
    const [owner, reader] = [await service.account(), await service.account()];
    const id = await make(owner, { visibility: 'public' });
    assert.equal((await read(owner, id)).status, 200);
    const refused = await read(reader, id);
    assert.deepEqual([refused.status, refused.code], [403, 'SOURCE_DENIED']);
    const taken = await copy(reader, id);
    assert.equal((await read(reader, taken)).code, 'SOURCE_DENIED');
    assert.equal((await read(reader, await copy(reader, taken))).code, 'SOURCE_DENIED');
    const own = await copy(owner, id);
    assert.equal((await read(owner, own)).status, 200);
    assert.equal((await owner.request('DELETE', `${FORECASTS}/${id}`)).status, 200);
    for (const [caller, one] of [
      [reader, taken],
      [owner, own],
    ] as const)
      assert.equal((await read(caller, one)).code, 'SOURCE_DENIED', 'the forecast that sent the rows is gone');
  });

  test('has the rows of a public source for every reader of a public forecast, and hides private forecasts', async () => {
    const [owner, guest] = [await service.account(), await service.guest()];
    const shown = await make(owner, { source: STOCK, limit: 40, visibility: 'public' });
    const { status, data } = await read(guest, shown);
    assert.deepEqual([status, data.count, data.truncated], [200, 40, false]);
    assert.ok(data.title && data.units && data.license);
    const hidden = await make(owner, { source: STOCK, limit: 40 });
    assert.equal((await read(guest, hidden)).code, 'NOT_FOUND');
    assert.equal((await read({ request: requestAs(service.app, {}) }, shown)).status, 401);

    const environment = { ALMANAC_DENIED_LICENSES: data.license };
    const { app } = await openApi(
      service.database,
      environment,
      undefined,
      service.queue,
      service.forecasts.checkpoints,
    );
    const denied = await read({ request: requestAs(app, owner.credentials) }, shown);
    await app.close();
    assert.deepEqual([denied.status, denied.code], [403, 'LICENSE_DENIED']);
  });

  test('is gone with the snapshot', async () => {
    const caller = await service.account();
    const id = await make(caller);
    const removed = { id: 'snap_1', sha256: 'aa', rows: 40, removed_at: '2026-01-01T00:00:00.000Z' };
    await sql`UPDATE forecast SET snapshot_id = NULL, removed_snapshot = ${JSON.stringify(removed)} WHERE id = ${id}`.execute(
      service.database.query(),
    );
    const gone = await read(caller, id);
    assert.deepEqual([gone.status, gone.code], [422, 'UNPROCESSABLE']);
    assert.match(gone.body, /snapshot .* was removed at 2026-01-01/);
  });
});
