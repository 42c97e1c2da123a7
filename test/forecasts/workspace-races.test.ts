import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import type { MembershipView, OfferedWorkspace } from '../../src/workspaces/index.ts';
import {
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace, type Registered, register, WORKSPACES } from '../support/workspaces/workspaces.ts';

/** The rounds of each race. */
const ROUNDS = Number(process.env.ALMANAC_RACES ?? 20);
const skip = testedKind !== 'postgres' && 'races need several connections: TEST_DATABASE_URL is not set';

describe(`forecasts while the members of a workspace change, ${ROUNDS} rounds each`, { skip, timeout: 300_000 }, () => {
  let service: ForecastService;
  let owner: Registered;
  let editor: Registered;
  before(async () => {
    service = await openForecastService('postgres');
    owner = await register(service, { plan: 'enterprise' });
    editor = await register(service, { plan: 'enterprise' });
  });
  after(() => service?.[Symbol.asyncDispose]());

  async function openWorkspace() {
    const { id } = await makeWorkspace(service.database, owner.id);
    const collaborator = await makeMember(service.database, id, editor.id, { role: 'editor' });
    return {
      id,
      at: `${WORKSPACES}/${id}`,
      membership: `${WORKSPACES}/${id}/collaborators/${collaborator}`,
      collaborator,
    };
  }

  async function create({ request }: Registered, workspace_id: string): Promise<string> {
    const { status, data, body } = await request<Started>('POST', FORECASTS, inlineRequest({ workspace_id }));
    assert.equal(status, 202, body);
    return data.forecast_id;
  }

  function readForecasts() {
    return service.database
      .query<ForecastTables>()
      .selectFrom('forecast')
      .select(['id', 'status', 'payer', 'workspace_id', 'created_at'])
      .execute();
  }

  /** Checks the ledger, whichever request was first. */
  async function assertSound(): Promise<void> {
    const report = await checkLedger(service.database);
    assert.ok(isLedgerSound(report), JSON.stringify(report));
  }

  test('a member that is removed during its cancellation has canceled the forecast or is refused', async (context) => {
    const seen: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const { id, membership } = await openWorkspace();
      const isCreator = round % 2 === 0;
      const forecast = await create(isCreator ? editor : owner, id);
      const canceling = sleep(round % 5).then(() =>
        editor.request<{ status: string }>('POST', `${FORECASTS}/${forecast}/cancel`),
      );
      const removing = sleep(round % 3).then(() => owner.request('DELETE', membership));
      const [canceled, removed] = await Promise.all([canceling, removing]);
      assert.equal(removed.status, 200, removed.body);
      const { data } = await owner.request<{ status: string }>('GET', `${FORECASTS}/${forecast}`);
      const refused = isCreator ? 'WORKSPACE_DENIED' : 'NOT_FOUND';
      if (canceled.status === 200) assert.deepEqual([canceled.data.status, data.status], ['failed', 'failed']);
      else assert.deepEqual([canceled.code, data.status], [refused, 'queued'], canceled.body);
      assert.equal((await editor.request('POST', `${FORECASTS}/${forecast}/cancel`)).code, refused);
      await owner.request('POST', `${FORECASTS}/${forecast}/cancel`);
      await assertSound();
      const outcome = canceled.code ?? 'canceled';
      seen[outcome] = (seen[outcome] ?? 0) + 1;
    }
    context.diagnostic(JSON.stringify(seen));
  });

  test('a forecast that is created during a transfer is paid for by the owner at that time', async (context) => {
    const seen: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const { id, at, collaborator } = await openWorkspace();
      const offer = { collaborator_id: collaborator };
      const { data: offered } = await owner.request<OfferedWorkspace>('POST', `${at}/transfer`, offer);
      const creating = create(round % 2 === 0 ? editor : owner, id);
      const accepting = sleep(round % 12).then(() =>
        editor.request('POST', `/v1/me/invitations/${offered.transfer.invitation_id}/accept`),
      );
      const [forecast, accepted] = await Promise.all([creating, accepting]);
      assert.equal(accepted.status, 200, accepted.body);
      const transferred = await editor.request<MembershipView>('GET', at);
      const { payer, created_at } = (await readForecasts()).find(({ id: stored }) => stored === forecast) ?? {};
      const order = Number(created_at) - Date.parse(transferred.data.updated_at);
      if (order !== 0) assert.equal(payer, order < 0 ? owner.id : editor.id, `${order} ms after the transfer`);
      await assertSound();
      const name = payer === owner.id ? 'the old' : 'the new';
      seen[name] = (seen[name] ?? 0) + 1;
      assert.equal((await editor.request('DELETE', at)).status, 200);
      await assertSound();
    }
    context.diagnostic(JSON.stringify(seen));
  });

  test('concurrent requests of a member do not exceed the credits that the owner allows it', async () => {
    const { id, at } = await openWorkspace();
    const { credits } = await service.database
      .query<ForecastTables>()
      .selectFrom('forecast')
      .select('credits')
      .where('id', '=', await create(owner, id))
      .executeTakeFirstOrThrow();
    assert.equal((await owner.request('PATCH', at, { member_credits: 3 * credits + 1 })).status, 200);
    const attempt = () => editor.request<Started>('POST', FORECASTS, inlineRequest({ workspace_id: id }));
    const replies = await Promise.all(Array.from({ length: 10 }, attempt));
    const created = replies.filter(({ status }) => status === 202);
    assert.equal(created.length, 3);
    for (const { code } of replies.filter((reply) => !created.includes(reply))) assert.equal(code, 'QUOTA_EXCEEDED');
    await assertSound();
    assert.equal((await owner.request('DELETE', at)).status, 200);
  });

  test('deleting a workspace during concurrent requests leaves nothing behind and blocks no request', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, at, membership } = await openWorkspace();
      const forecasts = [await create(owner, id), await create(editor, id)];
      const elsewhere = (await editor.request<Started>('POST', FORECASTS, inlineRequest())).data.forecast_id;
      const [first, second] = forecasts.map((forecast) => `${FORECASTS}/${forecast}`);
      const replies = await Promise.all([
        editor.request('POST', `${first}/reproduce`),
        owner.request('POST', `${second}/reproduce`),
        editor.request('POST', `${second}/cancel`),
        owner.request('POST', `${first}/cancel`),
        editor.request('POST', FORECASTS, inlineRequest({ workspace_id: id })),
        owner.request('DELETE', membership),
        sleep(round % 10).then(() => owner.request('DELETE', at)),
        editor.request('POST', `${FORECASTS}/${elsewhere}/cancel`),
      ]);
      for (const { status, body } of replies) assert.ok([200, 202, 403, 404].includes(status), body);
      assert.deepEqual([replies[6]?.status, replies[7]?.status], [200, 200]);
      assert.deepEqual(
        (await readForecasts()).filter(({ workspace_id }) => workspace_id === id),
        [],
      );
      await assertSound();
    }
  });
});
