import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { addForecastRow, FORECAST_MIGRATIONS as migrations } from '../../test/support/forecasts/forecast-rows.ts';
import { makeAccount } from '../../test/support/identity/callers.ts';
import { countUses } from '../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { makeMember, makeWorkspace, principalOf } from '../../test/support/workspaces/workspaces.ts';
import type { Account, Guest } from '../access/index.ts';
import { createIdentityContext } from '../compose/index.ts';
import { systemClock } from '../platform/index.ts';
import { findForecast, findForecastFacts, findOriginal } from './find-forecast.ts';

const ANNA: Guest = { kind: 'guest', guestId: 'gst_anna' };
const BERT: Guest = { kind: 'guest', guestId: 'gst_bert' };
const LARGE = ['result', 'comparison'];

forEachDatabase('reads the access facts of a forecast without its result', { migrations }, async ({ database }) => {
  const id = await addForecastRow(database, { owner: ANNA.guestId, status: 'completed' });
  const partial = [
    await findForecastFacts({ database }, ANNA, id, 'forecast.read'),
    await findOriginal({ database }, ANNA, id),
  ];
  for (const row of partial) {
    assert.equal(row.id, id);
    assert.deepEqual(
      Object.keys(row).filter((column) => LARGE.includes(column)),
      [],
    );
  }
  const whole = await findForecast({ database }, ANNA, id, 'forecast.read');
  assert.ok(LARGE.every((column) => column in whole));
});

forEachDatabase('every finder applies the same access rules', { migrations }, async (fixture) => {
  const { database } = fixture;
  const id = await addForecastRow(database, { owner: ANNA.guestId, status: 'completed' });
  const finders = [
    (guest: Guest) => findForecast({ database }, guest, id, 'forecast.read'),
    (guest: Guest) => findForecastFacts({ database }, guest, id, 'forecast.read'),
    (guest: Guest) => findOriginal({ database }, guest, id),
  ];
  for (const find of finders) await assert.rejects(find(BERT), { code: 'NOT_FOUND' });
  await sql`UPDATE forecast SET visibility = 'public' WHERE id = ${id}`.execute(database.query());
  for (const find of finders) assert.equal((await find(BERT)).id, id);
  for (const action of ['forecast.cancel', 'forecast.prepare_save'] as const) {
    await assert.rejects(findForecastFacts({ database }, BERT, id, action), {
      code: 'OWNERSHIP_REQUIRED',
      message: /^Only the forecast's creator can do this\./,
    });
  }
});

forEachDatabase(
  'a missing forecast and another caller’s forecast take the same number of statements',
  { migrations },
  async (fixture) => {
    const { database } = fixture;
    const identity = createIdentityContext({ database, clock: systemClock });
    const accounts = await Promise.all([1, 2, 3].map(() => makeAccount(identity, { password: null })));
    const [owner, removed, stranger] = accounts.map(principalOf) as [Account, Account, Account];
    const workspace = await makeWorkspace(database, owner.accountId);
    const spec = { forecasts_scope_mode: 'selected', forecasts_scope_ids: ['ef_other'] } as const;
    const restricted = principalOf(await makeAccount(identity, { password: null }));
    await makeMember(database, workspace.id, restricted.accountId, { ...spec, forecasts_scope_ids: ['ef_other'] });
    const id = await addForecastRow(database, { owner: ANNA.guestId });
    const inWorkspace = await addForecastRow(database, { owner: ANNA.guestId });
    await sql`
    UPDATE forecast SET owner = ${removed.accountId}, account_id = ${removed.accountId}, guest_id = NULL,
      workspace_id = ${workspace.id}, visibility = 'workspace'
    WHERE id = ${inWorkspace}`.execute(database.query());

    const counted = countUses(database);
    const find = async (caller: Account | Guest, name: string, action: 'forecast.read' | 'forecast.cancel') => {
      const before = counted.uses();
      const fault = await findForecast(counted, caller, name, action).catch((error) => error);
      return { code: fault.code, message: fault.message, uses: counted.uses() - before };
    };
    for (const action of ['forecast.read', 'forecast.cancel'] as const) {
      for (const caller of [stranger, restricted, BERT]) {
        const missing = await find(caller, 'ef_00000000000000000000000000', action);
        assert.equal(missing.code, 'NOT_FOUND');
        for (const name of [id, inWorkspace])
          assert.deepEqual(await find(caller, name, action), missing, `${action} ${name}`);
      }
      assert.equal(
        (await find(removed, inWorkspace, action)).code,
        'WORKSPACE_DENIED',
        'its creator knows that it exists',
      );
      assert.equal((await find(owner, inWorkspace, action)).code, undefined);
    }
  },
);
