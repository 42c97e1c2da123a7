import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import { changePlan } from '../../src/identity/index.ts';
import type { Database } from '../../src/platform/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { FORECASTS, type ForecastService, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  transferTo,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

/** Shared by all tests. */
const computed = computeResult();

function create({ request: send }: Registered, fields: object = {}) {
  return send<Started>('POST', FORECASTS, inlineRequest(fields));
}

/** Returns the taken slots by account. */
async function readSlots(database: Database): Promise<Record<string, number>> {
  const rows = await database
    .query<ForecastTables>()
    .selectFrom('admission')
    .selectAll()
    .where('active', '>', 0)
    .execute();
  return Object.fromEntries(rows.map(({ owner, active }) => [owner, active]));
}

/** Returns the reserved and spent credits by account. */
async function readCredits(database: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ owner: string; used: number }>`
    SELECT owner, sum(amount)::int AS used FROM ledger_entry WHERE ledger_account <> 'available'
    GROUP BY owner HAVING sum(amount) > 0`.execute(database.query());
  return Object.fromEntries(rows.map(({ owner, used }) => [owner, used]));
}

async function priorityOf({ database }: ForecastService, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ priority: number }>`
    SELECT priority FROM queue.job WHERE data->>'forecast_id' = ${id}`.execute(database.query());
  return rows[0]?.priority;
}

async function assertSound(database: Database): Promise<void> {
  const report = await checkLedger(database);
  assert.ok(isLedgerSound(report), JSON.stringify(report));
}

/** Creates a workspace of the owner with an editor that has the free plan and a session. */
async function openWorkspace(service: ForecastService, owner: Registered) {
  const { identity, app, database } = service;
  const account = await makeAccount(identity, { plan: 'free' });
  const credentials = await withSession(identity, account.email);
  const editor = { ...account, credentials, request: requestAs(app, credentials) };
  const { id } = await makeWorkspace(database, owner.id);
  const collaborator = await makeMember(database, id, editor.id, { role: 'editor' });
  return { id, editor, collaborator };
}

forEachService('in a workspace the owner’s plan applies and the owner pays', async (service, owner) => {
  const { database } = service;
  const { id, editor } = await openWorkspace(service, owner);
  const inside = { workspace_id: id };
  const first = await create(editor, inside);
  const second = await create(editor, inside);
  assert.deepEqual([first.status, second.status], [202, 202], 'a free account has only one slot of its own');
  assert.equal(await priorityOf(service, first.data.forecast_id), 2_000, 'the first of the pro plan');
  const alone = await create(editor);
  assert.equal(alone.status, 202, 'its own slot is free');
  assert.equal(await priorityOf(service, alone.data.forecast_id), 1_000);
  assert.deepEqual(await readSlots(database), { [owner.id]: 2, [editor.id]: 1 });
  const used = await readCredits(database);
  assert.equal(used[owner.id], 2 * (used[editor.id] ?? Number.NaN));

  assert.equal((await create(owner)).status, 202);
  assert.equal((await create(owner, inside)).status, 202);
  for (const [caller, message] of [
    [owner, /"You can have 4 forecasts queued or running\./],
    [editor, /"The owner of the workspace can have 4 forecasts queued or running\./],
  ] as const) {
    const refused = await create(caller, inside);
    assert.equal(refused.code, 'QUOTA_EXCEEDED');
    assert.match(refused.body, message);
  }
  const again = await editor.request('POST', `${FORECASTS}/${first.data.forecast_id}/reproduce`);
  assert.equal(again.code, 'QUOTA_EXCEEDED', 'the limit applies to reproductions');
  await assertSound(database);

  for (const { data } of [first, alone]) {
    assert.equal((await editor.request('POST', `${FORECASTS}/${data.forecast_id}/cancel`)).status, 200);
  }
  assert.deepEqual(await readSlots(database), { [owner.id]: 3 });
  const result = await computed;
  await runAttempt(service, await activateJob(database, second.data.forecast_id), async () => result);
  assert.deepEqual(await readSlots(database), { [owner.id]: 2 });
  assert.deepEqual(Object.keys(await readCredits(database)), [owner.id], 'the owner pays for the member’s forecast');
  await assertSound(database);
});

forEachService('a member’s larger plan does not extend the owner’s limits', async (service, owner) => {
  const { identity, database } = service;
  const member = await register(service, { plan: 'enterprise' });
  const { id } = await makeWorkspace(database, owner.id);
  await makeMember(database, id, member.id, { role: 'editor' });
  await changePlan(identity, owner.email, 'free');
  assert.equal((await create(member, { workspace_id: id })).status, 202);
  const refused = await create(member, { workspace_id: id });
  assert.equal(refused.code, 'QUOTA_EXCEEDED');
  assert.match(refused.body, /"The owner of the workspace can have one forecast queued or running\./);
  await sql`UPDATE ledger_entry SET amount = amount * 1000 WHERE owner = ${owner.id}`.execute(database.query());
  await sql`UPDATE admission SET active = 0`.execute(database.query());
  const empty = await create(member, { workspace_id: id });
  assert.match(empty.body, /"The owner of the workspace does not have enough credits for this forecast\./);
  assert.equal((await create(member)).status, 202);
  // One credit is left: the forecast is refused after its rows are read, with the same body.
  await changePlan(identity, owner.email, 'pro');
  await sql`UPDATE ledger_entry SET amount = sign(amount) * 49999 WHERE owner = ${owner.id}`.execute(database.query());
  const tooFew = await create(member, { workspace_id: id });
  assert.equal(tooFew.code, 'QUOTA_EXCEEDED');
  assert.equal(tooFew.body, empty.body, 'a member does not learn how many credits are left');
  const ownRefusal = await create(owner, { workspace_id: id });
  assert.match(ownRefusal.body, /"This forecast costs \d+ credits; 1 of your 50000 credits for this month are left\./);
});

forEachService('a transfer of the workspace does not change the payer of its forecasts', async (service, owner) => {
  const { database } = service;
  const nextOwner = await register(service);
  const { id } = await makeWorkspace(database, owner.id);
  const collaborator_id = await makeMember(database, id, nextOwner.id, { role: 'editor' });
  const before = [await create(owner, { workspace_id: id }), await create(nextOwner, { workspace_id: id })];
  await transferTo(owner, nextOwner, `${WORKSPACES}/${id}`, collaborator_id);
  const later = [await create(owner, { workspace_id: id }), await create(nextOwner, { workspace_id: id })];
  assert.deepEqual(await readSlots(database), { [owner.id]: 2, [nextOwner.id]: 2 });
  await assertSound(database);
  for (const { data } of [...before, ...later]) {
    assert.equal((await nextOwner.request('POST', `${FORECASTS}/${data.forecast_id}/cancel`)).status, 200);
  }
  assert.deepEqual([await readSlots(database), await readCredits(database)], [{}, {}]);
  await assertSound(database);
});

forEachService('forecasts of a removed member stay in the workspace', async (service, owner) => {
  const { database } = service;
  const { id, editor, collaborator } = await openWorkspace(service, owner);
  const viewer = await register(service);
  await makeMember(database, id, viewer.id);
  const [queued, running, done] = [
    await create(editor, { workspace_id: id }),
    await create(editor, { workspace_id: id }),
    await create(editor, { workspace_id: id }),
  ].map(({ data }) => data);
  const result = await computed;
  await runAttempt(service, await activateJob(database, done?.forecast_id ?? ''), async () => result);
  const started = await activateJob(database, running?.forecast_id ?? '');
  assert.equal((await owner.request('DELETE', `${WORKSPACES}/${id}/collaborators/${collaborator}`)).status, 200);

  const stranger = await register(service);
  for (const forecast of [queued, running, done]) {
    for (const name of [forecast?.forecast_id ?? '', forecast?.slug ?? '']) {
      const at = `${FORECASTS}/${name}`;
      for (const path of [at, `${at}/events`, `${at}/export`, `${at}/proof`]) {
        assert.equal((await editor.request('GET', path)).code, 'WORKSPACE_DENIED', path);
        assert.equal((await stranger.request('GET', path)).code, 'NOT_FOUND', path);
      }
      for (const path of [`${at}/cancel`, `${at}/reproduce`, `${at}/save`]) {
        assert.equal((await editor.request('POST', path)).code, 'WORKSPACE_DENIED', path);
        assert.equal((await stranger.request('POST', path)).code, 'NOT_FOUND', path);
      }
      for (const { request: send } of [owner, viewer]) assert.equal((await send('GET', at)).status, 200);
    }
  }
  // The worker is not affected by the removal.
  await runAttempt(service, started, async () => result);
  const again = await owner.request<Started>('POST', `${FORECASTS}/${done?.forecast_id}/reproduce`);
  assert.equal(again.status, 202);
  const canceled = await owner.request<{ status: string }>('POST', `${FORECASTS}/${queued?.slug}/cancel`);
  assert.deepEqual([canceled.status, canceled.data.status], [200, 'failed']);
  assert.deepEqual(await readSlots(database), { [owner.id]: 1 }, 'the reproduction');
  await assertSound(database);
  assert.equal((await create(editor)).status, 202, 'the account can create forecasts of its own');
});
