import assert from 'node:assert/strict';
import { createGuest } from '../../src/identity/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { createCompleted } from '../support/forecasts/completed-forecasts.ts';
import {
  type Caller,
  create,
  dailyPoints,
  FORECASTS,
  type ForecastService,
} from '../support/forecasts/forecast-service.ts';
import {
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
} from '../support/workspaces/workspaces.ts';

const onService = shareService();

interface Preview {
  readonly subject: string;
  readonly until: string | null;
  readonly ends_at: string | null;
  readonly history: readonly number[];
  readonly median: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

async function preview({ request }: Pick<Registered, 'request'>, ids: readonly string[]) {
  const { status, data, body } = await request<{ previews: Record<string, Preview> }>(
    'GET',
    `${FORECASTS}/previews?ids=${ids.join(',')}`,
  );
  assert.equal(status, 200, body);
  return data.previews;
}

async function make(caller: Pick<Registered, 'request'>, fields: object): Promise<string> {
  const { data, status, body } = await create(caller as Caller, fields);
  assert.equal(status, 202, body);
  return data.forecast_id;
}

async function asGuest({ app, identity }: ForecastService): Promise<Pick<Registered, 'request'>> {
  const { secret } = await createGuest(identity);
  return { request: requestAs(app, { cookie: `__Host-almanac_guest=${secret}` }, '203.0.113.7') };
}

onService('a preview has the last rows and the fan of a completed forecast', async (service) => {
  const owner = await service.account('enterprise');
  const { forecast_id: id } = await createCompleted(service, owner, { horizon: 4, title: 'My own name' });
  const queued = await make(owner, { horizon: 4 });
  const previews = await preview(owner, [id, queued, id]);
  assert.deepEqual(Object.keys(previews).sort(), [id, queued].sort());
  const { data } = await owner.request<{ predictions: { timestamp: string; quantiles: Record<string, number> }[] }>(
    'GET',
    `${FORECASTS}/${id}`,
  );
  const values = (level: string) => data.predictions.map(({ quantiles }) => quantiles[level]);
  const rows = dailyPoints().map(({ value }) => value);
  const last = data.predictions.at(-1)?.timestamp ?? '';
  assert.deepEqual(previews[id], {
    subject: 'Inline rows, 4 days',
    until: last,
    ends_at: new Date(Date.parse(last) + 86_400_000).toISOString(),
    history: rows.slice(-40),
    median: values('0.5'),
    low: values('0.1'),
    high: values('0.9'),
  });
  const { until, ends_at, median, low, high, history } = previews[queued] as Preview;
  assert.deepEqual([until, ends_at, median, low, high], [null, null, [], [], []]);
  assert.deepEqual(history, rows.slice(-40));
});

onService(
  'a preview leaves out what the caller may not read, and the rows that were not published',
  async (service, owner) => {
    const { id: workspace } = await makeWorkspace(service.database, owner.id);
    const [other, member, restricted] = [await register(service), await register(service), await register(service)];
    const own = await make(owner, {});
    const open = await make(owner, { visibility: 'public' });
    const shared = await make(owner, { workspace_id: workspace });
    const hidden = await make(owner, { workspace_id: workspace, visibility: 'private' });
    await makeMember(service.database, workspace, member.id);
    await makeMember(service.database, workspace, restricted.id, {
      forecasts_scope_mode: 'selected',
      forecasts_scope_ids: [],
    });
    const all = [own, open, shared, hidden, 'ef_missing'];
    const guest = await asGuest(service);
    const read = async (caller: Pick<Registered, 'request'>) =>
      Object.entries(await preview(caller, all)).map(([id, { history }]) => [id, history.length > 0] as const);
    const sorted = (entries: readonly (readonly [string, boolean])[]) =>
      entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    const expect = async (caller: Pick<Registered, 'request'>, entries: readonly (readonly [string, boolean])[]) =>
      assert.deepEqual(sorted(await read(caller)), sorted(entries));
    await expect(owner, [
      [own, true],
      [open, true],
      [shared, true],
      [hidden, true],
    ]);
    await expect(other, [[open, false]]);
    await expect(member, [
      [open, false],
      [shared, true],
    ]);
    await expect(restricted, [[open, false]]);
    await expect(guest, [[open, false]]);
  },
);

onService('a copy of a public forecast does not open the rows that were sent with it', async (service, owner) => {
  const original = await make(owner, { visibility: 'public' });
  const other = await register(service);
  const { data } = await other.request<{ forecast_id: string }>('POST', `${FORECASTS}/${original}/reproduce`);
  assert.deepEqual((await preview(other, [data.forecast_id]))[data.forecast_id]?.history, []);
});

onService('ids that are none, too many or too long are refused by name', async (_service, owner) => {
  const many = Array.from({ length: 51 }, (_, i) => `ef_${i}`).join(',');
  for (const query of [
    '',
    '?ids=',
    '?ids=,',
    '?ids=a,,b',
    `?ids=${many}`,
    `?ids=${'x'.repeat(101)}`,
    '?ids=%00',
    '?ids=a&ids=b',
  ]) {
    const { status, code, body } = await owner.request('GET', `${FORECASTS}/previews${query}`);
    assert.deepEqual([status, code, body.includes('ids: ')], [400, 'INVALID_REQUEST', true], `${query}: ${body}`);
  }
  assert.deepEqual(await preview(owner, ["'; DROP TABLE forecast; --"].map(encodeURIComponent)), {});
});
