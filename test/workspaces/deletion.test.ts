import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Fault, ForecastRequestBody } from '../../src/contract/index.ts';
import {
  cancelUnfinished,
  checkLedger,
  createForecast,
  FORECAST_QUEUE,
  isLedgerSound,
  reproduceForecast,
} from '../../src/forecasts/index.ts';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import { create, FORECASTS, inlineRequest, openForecastService } from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  principalOf,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

forEachService(
  'deletes a workspace with its forecasts and releases the credits of unfinished ones',
  async (service, owner) => {
    const member = await register(service, { plan: 'enterprise' });
    const { id, slug } = await makeWorkspace(service.database, owner.id);
    await makeMember(service.database, id, member.id, { role: 'editor' });
    const callerOf = (account: Registered) => ({ request: account.request, accountId: account.id, credentials: {} });
    const inside = { workspace_id: id, visibility: 'workspace' };
    const started = [
      await create(callerOf(owner), inside),
      await create(callerOf(member), inside),
      await create(callerOf(member), { workspace_id: id }),
    ];
    const outside = await create(callerOf(member));
    assert.deepEqual(
      [...started, outside].map(({ status }) => status),
      [202, 202, 202, 202],
    );
    const ids = started.map(({ data }) => data.forecast_id);
    await service.database
      .query<ForecastTables>()
      .updateTable('forecast')
      .set({ status: 'running', attempt: 1 })
      .where('id', '=', ids[1] as string)
      .execute();
    assert.equal(
      (await member.request('DELETE', `${WORKSPACES}/${id}`)).code,
      'WORKSPACE_DENIED',
      'only the owner can delete it',
    );

    const removed = await owner.request('DELETE', `${WORKSPACES}/${slug}`);
    assert.deepEqual([removed.status, removed.data], [200, { id, removed: true }]);
    for (const { request } of [owner, member]) {
      assert.equal((await request('GET', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED');
      assert.equal((await request('DELETE', `${WORKSPACES}/${id}`)).code, 'WORKSPACE_DENIED');
      for (const forecast of ids) assert.equal((await request('GET', `${FORECASTS}/${forecast}`)).status, 404);
    }
    const db = service.database.query<ForecastTables>();
    const left = await db.selectFrom('forecast').select(['id', 'status']).execute();
    assert.deepEqual(left, [{ id: outside.data.forecast_id, status: 'queued' }]);
    const ledger = await checkLedger(service.database);
    assert.ok(isLedgerSound(ledger), JSON.stringify(ledger));
    const slots = await db.selectFrom('admission').select('active').execute();
    assert.equal(
      slots.reduce((sum, { active }) => sum + active, 0),
      1,
      'the slots are released',
    );
    const reserved = await db
      .selectFrom('ledger_entry')
      .select('forecast_id')
      .where('ledger_account', '=', 'reserved')
      .execute();
    assert.deepEqual(reserved, [{ forecast_id: outside.data.forecast_id }], 'the credits are released');
    const holders = await sql<{ holder: string }>`SELECT holder FROM snapshot_holder`.execute(db);
    assert.deepEqual(holders.rows, [{ holder: outside.data.forecast_id }]);
    const jobs = await sql<{ id: string; state: string }>`
    SELECT data->>'forecast_id' AS id, state FROM queue.job WHERE name = ${FORECAST_QUEUE}`.execute(db);
    assert.deepEqual(jobs.rows, [{ id: outside.data.forecast_id, state: 'created' }]);
  },
);

const ROUNDS = Number(process.env.ALMANAC_RACES ?? 8);
const skip = testedKind !== 'postgres' && 'TEST_DATABASE_URL is not set';

test(`deletes a workspace while its forecasts are created, run, completed and canceled, ${ROUNDS} times`, {
  skip,
}, async () => {
  await using service = await openForecastService('postgres');
  const { database, forecasts: jobs } = service;
  const [owner, member] = [
    await register(service, { plan: 'enterprise' }),
    await register(service, { plan: 'enterprise' }),
  ];
  const result = await computeResult();
  const random = createSeededRandom(20_260_301);
  const body = (workspace_id: string) => ForecastRequestBody.parse(inlineRequest({ workspace_id }));
  const start = (by: Registered, id: string) =>
    createForecast(jobs, principalOf(by), body(id), { idempotencyKey: null, network: null });
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await makeWorkspace(database, owner.id);
    await makeMember(database, id, member.id, { role: 'editor' });
    const created = [await start(owner, id), await start(member, id), await start(member, id), await start(owner, id)];
    const taken = await Promise.all(created.slice(0, 3).map((forecast) => activateJob(database, forecast)));
    const waiting = await activateJob(database, created[3] as string);
    const [removed, another, again] = await Promise.all([
      sleep(random() * 6).then(() => owner.request('DELETE', `${WORKSPACES}/${id}`)),
      outcomeOf(start(member, id)),
      outcomeOf(
        reproduceForecast(jobs, principalOf(member), created[0] as string, { idempotencyKey: null, network: null }),
      ),
      cancelUnfinished(jobs, waiting),
      ...taken.map((forecast) => runAttempt(service, forecast, async () => result)),
    ]);
    assert.equal(removed.status, 200, removed.body);
    assert.ok(['done', 'WORKSPACE_DENIED'].includes(another), another);
    assert.ok(['done', 'WORKSPACE_DENIED', 'NOT_FOUND'].includes(again), again);
    assert.deepEqual(await database.query<ForecastTables>().selectFrom('forecast').select('id').execute(), []);
    const ledger = await checkLedger(database);
    assert.ok(isLedgerSound(ledger), JSON.stringify(ledger));
  }
});

async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'done',
    (error) => {
      if (error instanceof Fault) return error.code;
      throw error;
    },
  );
}
