import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { checkLedger, isSound } from '../../src/forecasts/index.ts';
import type { JobTables } from '../../src/forecasts/tables.ts';
import { changePlan } from '../../src/identity/index.ts';
import type { Database } from '../../src/platform/index.ts';
import { askAs } from '../support/api/ask.ts';
import { FORECASTS, type ForecastService, inlineRequest, type Started } from '../support/forecasts/forecast-service.ts';
import { runByHand, takeJob, trueResult } from '../support/forecasts/run-by-hand.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

/** The same for all. */
const computed = trueResult();

function ask({ ask: send }: Registered, fields: object = {}) {
  return send<Started>('POST', FORECASTS, inlineRequest(fields));
}

/** Slots that are taken, by account. */
async function slots(database: Database): Promise<Record<string, number>> {
  const rows = await database.query<JobTables>().selectFrom('admission').selectAll().where('active', '>', 0).execute();
  return Object.fromEntries(rows.map(({ owner, active }) => [owner, active]));
}

/** Credits that are reserved or spent, by account. */
async function credits(database: Database): Promise<Record<string, number>> {
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
  assert.ok(isSound(report), JSON.stringify(report));
}

/** A workspace of the owner's with an editor in it who has the free plan, and so a session. */
async function openWorkspace(service: ForecastService, owner: Registered) {
  const { identity, app, database } = service;
  const account = await makeAccount(identity, { plan: 'free' });
  const credentials = await withSession(identity, account.email);
  const editor = { ...account, credentials, ask: askAs(app, credentials) };
  const { id } = await makeWorkspace(database, owner.id);
  const collaborator = await makeMember(database, id, editor.id, { role: 'editor' });
  return { id, editor, collaborator };
}

forEachService('in a workspace its owner’s plan counts, and its owner pays', async (service, owner) => {
  const { database } = service;
  const { id, editor } = await openWorkspace(service, owner);
  const inside = { workspace_id: id };
  const first = await ask(editor, inside);
  const second = await ask(editor, inside);
  assert.deepEqual([first.status, second.status], [202, 202], 'a free account has one slot of its own');
  assert.equal(await priorityOf(service, first.data.forecast_id), 2, 'that of the pro plan');
  const alone = await ask(editor);
  assert.equal(alone.status, 202, 'its own slot is free');
  assert.equal(await priorityOf(service, alone.data.forecast_id), 1);
  assert.deepEqual(await slots(database), { [owner.id]: 2, [editor.id]: 1 });
  const used = await credits(database);
  assert.equal(used[owner.id], 2 * (used[editor.id] ?? Number.NaN));

  assert.equal((await ask(owner)).status, 202);
  assert.equal((await ask(owner, inside)).status, 202);
  for (const [who, words] of [
    [owner, /"4 forecasts of yours may wait or run/],
    [editor, /"4 forecasts that the owner of the workspace pays for may wait or run/],
  ] as const) {
    const refused = await ask(who, inside);
    assert.equal(refused.code, 'QUOTA_EXCEEDED');
    assert.match(refused.body, words);
  }
  const again = await editor.ask('POST', `${FORECASTS}/${first.data.forecast_id}/reproduce`);
  assert.equal(again.code, 'QUOTA_EXCEEDED', 'which counts for running it again, too');
  await assertSound(database);

  for (const { data } of [first, alone]) {
    assert.equal((await editor.ask('POST', `${FORECASTS}/${data.forecast_id}/cancel`)).status, 200);
  }
  assert.deepEqual(await slots(database), { [owner.id]: 3 });
  const result = await computed;
  await runByHand(service, await takeJob(database, second.data.forecast_id), async () => result);
  assert.deepEqual(await slots(database), { [owner.id]: 2 });
  assert.deepEqual(Object.keys(await credits(database)), [owner.id], 'what was done for the member is the owner’s');
  await assertSound(database);
});

forEachService('a member’s better plan does not help where the owner’s is worse', async (service, owner) => {
  const { identity, database } = service;
  const member = await register(service, { plan: 'enterprise' });
  const { id } = await makeWorkspace(database, owner.id);
  await makeMember(database, id, member.id, { role: 'editor' });
  await changePlan(identity, owner.email, 'free');
  assert.equal((await ask(member, { workspace_id: id })).status, 202);
  const refused = await ask(member, { workspace_id: id });
  assert.equal(refused.code, 'QUOTA_EXCEEDED');
  assert.match(refused.body, /"One forecast that the owner of the workspace pays for /);
  await sql`UPDATE ledger_entry SET amount = amount * 1000 WHERE owner = ${owner.id}`.execute(database.query());
  await sql`UPDATE admission SET active = 0`.execute(database.query());
  const empty = await ask(member, { workspace_id: id });
  assert.match(empty.body, /"The 2000 credits of this month of the owner of the workspace are used up/);
  assert.equal((await ask(member)).status, 202);
});

forEachService(
  'a forecast stays with the owner who paid for it when the workspace changes hands',
  async (service, owner) => {
    const { database } = service;
    const heir = await register(service);
    const { id } = await makeWorkspace(database, owner.id);
    const collaborator_id = await makeMember(database, id, heir.id, { role: 'editor' });
    const before = [await ask(owner, { workspace_id: id }), await ask(heir, { workspace_id: id })];
    assert.equal((await owner.ask('POST', `${WORKSPACES}/${id}/transfer`, { collaborator_id })).status, 200);
    const later = [await ask(owner, { workspace_id: id }), await ask(heir, { workspace_id: id })];
    assert.deepEqual(await slots(database), { [owner.id]: 2, [heir.id]: 2 });
    await assertSound(database);
    for (const { data } of [...before, ...later]) {
      assert.equal((await heir.ask('POST', `${FORECASTS}/${data.forecast_id}/cancel`)).status, 200);
    }
    assert.deepEqual([await slots(database), await credits(database)], [{}, {}]);
    await assertSound(database);
  },
);

forEachService('what a removed member has started stays the workspace’s', async (service, owner) => {
  const { database } = service;
  const { id, editor, collaborator } = await openWorkspace(service, owner);
  const viewer = await register(service);
  await makeMember(database, id, viewer.id);
  const [queued, running, done] = [
    await ask(editor, { workspace_id: id }),
    await ask(editor, { workspace_id: id }),
    await ask(editor, { workspace_id: id }),
  ].map(({ data }) => data);
  const result = await computed;
  await runByHand(service, await takeJob(database, done?.forecast_id ?? ''), async () => result);
  const started = await takeJob(database, running?.forecast_id ?? '');
  assert.equal((await owner.ask('DELETE', `${WORKSPACES}/${id}/collaborators/${collaborator}`)).status, 200);

  const stranger = await register(service);
  for (const forecast of [queued, running, done]) {
    for (const name of [forecast?.forecast_id ?? '', forecast?.slug ?? '']) {
      const at = `${FORECASTS}/${name}`;
      for (const path of [at, `${at}/events`, `${at}/export`, `${at}/proof`]) {
        assert.equal((await editor.ask('GET', path)).code, 'WORKSPACE_DENIED', path);
        assert.equal((await stranger.ask('GET', path)).code, 'NOT_FOUND', path);
      }
      for (const path of [`${at}/cancel`, `${at}/reproduce`, `${at}/save`]) {
        assert.equal((await editor.ask('POST', path)).code, 'WORKSPACE_DENIED', path);
        assert.equal((await stranger.ask('POST', path)).code, 'NOT_FOUND', path);
      }
      for (const { ask: send } of [owner, viewer]) assert.equal((await send('GET', at)).status, 200);
    }
  }
  // The worker has not heard of any of this.
  await runByHand(service, started, async () => result);
  const again = await owner.ask<Started>('POST', `${FORECASTS}/${done?.forecast_id}/reproduce`);
  assert.equal(again.status, 202);
  const canceled = await owner.ask<{ status: string }>('POST', `${FORECASTS}/${queued?.slug}/cancel`);
  assert.deepEqual([canceled.status, canceled.data.status], [200, 'failed']);
  assert.deepEqual(await slots(database), { [owner.id]: 1 }, 'the new one');
  await assertSound(database);
  assert.equal((await ask(editor)).status, 202, 'the account goes on');
});
