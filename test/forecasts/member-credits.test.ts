import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { removeOldMemberCharges } from '../../src/forecasts/index.ts';
import type { MembershipView } from '../../src/workspaces/index.ts';
import { FORECASTS, type ForecastService, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { atTime } from '../support/identity/identity.ts';
import {
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  shareService,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const forEachService = shareService();

function create({ request }: Registered, workspace_id: string | undefined, fields: object = {}) {
  return request<Started>('POST', FORECASTS, inlineRequest({ workspace_id, ...fields }));
}

async function cancel({ request }: Registered, { forecast_id }: Started): Promise<void> {
  assert.equal((await request('POST', `${FORECASTS}/${forecast_id}/cancel`)).status, 200);
}

/** Creates a workspace with two editors. Returns the cost of the tests' forecast as well. */
async function openScene(service: ForecastService, owner: Registered) {
  const { database } = service;
  const { id } = await makeWorkspace(database, owner.id);
  const [one, two] = [await register(service), await register(service)];
  for (const { id: accountId } of [one, two]) await makeMember(database, id, accountId, { role: 'editor' });
  const { data } = await create(one, undefined);
  const { rows } = await sql<{ credits: number }>`SELECT credits FROM forecast WHERE id = ${data.forecast_id}`.execute(
    database.query(),
  );
  await cancel(one, data);
  const limit = (member_credits: number | null) =>
    owner.request<MembershipView>('PATCH', `${WORKSPACES}/${id}`, { member_credits });
  return { id, one, two, cost: rows[0]?.credits ?? 0, limit };
}

forEachService(
  'limits the credits of each member in a workspace, and not those of the owner',
  async (service, owner) => {
    const { id, one, two, cost, limit } = await openScene(service, owner);
    // Forecasts from before the limit was set count.
    const first = await create(one, id);
    const { data: workspace } = await limit(2 * cost - 1);
    assert.equal(workspace.member_credits, 2 * cost - 1);
    const shown = await one.request<MembershipView>('GET', `${WORKSPACES}/${id}`);
    assert.equal(shown.data.member_credits, 2 * cost - 1, 'members see the limit');

    const refused = await create(one, id);
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
    assert.equal(
      JSON.parse(refused.body).error.message,
      `member_credits: each member can use ${2 * cost - 1} credits a month in this workspace. You have ${cost - 1} left, and this forecast costs ${cost}. The owner of the workspace can raise the limit.`,
    );
    const copied = await one.request('POST', `${FORECASTS}/${first.data.forecast_id}/reproduce`);
    assert.equal(copied.code, 'QUOTA_EXCEEDED', 'the limit applies to reproductions');
    assert.equal((await create(one, undefined)).status, 202, 'it does not apply outside the workspace');
    const other = await create(two, id);
    assert.equal(other.status, 202, 'each member has its own');
    const own = await create(owner, id);
    assert.equal(own.status, 202);
    await cancel(owner, own.data);
    await cancel(owner, other.data);

    // What is canceled or fails does not count; what completes does. Removing the forecast changes neither.
    await cancel(one, first.data);
    assert.equal((await one.request('DELETE', `${FORECASTS}/${first.data.forecast_id}`)).status, 200);
    const second = await create(one, id);
    assert.equal(second.status, 202);
    const result = await computeResult();
    await runAttempt(service, await activateJob(service.database, second.data.forecast_id), async () => result);
    assert.equal((await create(one, id)).code, 'QUOTA_EXCEEDED');
    assert.equal((await one.request('DELETE', `${FORECASTS}/${second.data.forecast_id}`)).status, 200);
    assert.equal((await create(one, id)).code, 'QUOTA_EXCEEDED');

    assert.equal((await limit(null)).data.member_credits, null);
    assert.equal((await create(one, id)).status, 202);
  },
);

forEachService(
  'refuses a limit that is not a whole number of credits, and changes by others',
  async (service, owner) => {
    const { id, one, limit } = await openScene(service, owner);
    for (const invalid of [-1, 1.5, '5', 1_000_000_001]) {
      const { status, body } = await limit(invalid as number);
      assert.equal(status, 400);
      assert.match(body, /member_credits: /);
    }
    const path = `${WORKSPACES}/${id}`;
    assert.equal((await owner.request('PATCH', path, {})).code, 'INVALID_REQUEST');
    assert.equal((await one.request('PATCH', path, { member_credits: null })).code, 'WORKSPACE_DENIED');
    await limit(7);
    const { data } = await owner.request<MembershipView>('PATCH', path, { name: 'Renamed' });
    assert.deepEqual([data.name, data.member_credits], ['Renamed', 7], 'omitted fields stay unchanged');
  },
);

forEachService('counts a month at a time and removes the charges of past months', async (service, owner) => {
  const { database, identity } = service;
  const { id, one, cost, limit } = await openScene(service, owner);
  const { data } = await create(one, id);
  await limit(cost);
  assert.equal((await create(one, id)).code, 'QUOTA_EXCEEDED');
  await sql`UPDATE member_charge SET month = '2020-01' WHERE forecast_id = ${data.forecast_id}`.execute(
    database.query(),
  );
  assert.equal((await create(one, id)).status, 202, 'a charge of another month does not count');
  const count = async () => {
    const { rows } = await sql`SELECT 1 FROM member_charge WHERE workspace_id = ${id}`.execute(database.query());
    return rows.length;
  };
  await removeOldMemberCharges(database, atTime(identity, '2020-01-31T23:59:59.000Z').clock);
  assert.equal(await count(), 2);
  await removeOldMemberCharges(database, identity.clock);
  assert.equal(await count(), 1);
});
