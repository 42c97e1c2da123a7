import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { addForecastRow, FORECAST_MIGRATIONS as migrations } from '../../test/support/forecasts/forecast-rows.ts';
import { makeAccount } from '../../test/support/identity/callers.ts';
import { countUses } from '../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { makeMember, makeWorkspace, principalOf } from '../../test/support/workspaces/workspaces.ts';
import type { Account, Guest } from '../access/index.ts';
import { identityOf } from '../compose/index.ts';
import { findForecast, findForecastFacts, findOriginal } from './find-forecast.ts';

const ANNA: Guest = { kind: 'guest', guestId: 'gst_anna' };
const BERT: Guest = { kind: 'guest', guestId: 'gst_bert' };
const LARGE = ['result', 'fingerprint', 'comparison'];

forEachDatabase(
  'those who need little of a forecast do not read what it says',
  { migrations },
  async ({ database }) => {
    const id = await addForecastRow(database, { owner: ANNA.guestId, status: 'completed' });
    const light = [
      await findForecastFacts({ database }, ANNA, id, 'forecast.read'),
      await findOriginal({ database }, ANNA, id),
    ];
    for (const row of light) {
      assert.equal(row.id, id);
      assert.deepEqual(
        Object.keys(row).filter((column) => LARGE.includes(column)),
        [],
      );
    }
    const whole = await findForecast({ database }, ANNA, id, 'forecast.read');
    assert.ok(LARGE.every((column) => column in whole));
  },
);

forEachDatabase('who may see a forecast does not depend on how much of it is read', { migrations }, async (fixture) => {
  const { database } = fixture;
  const id = await addForecastRow(database, { owner: ANNA.guestId, status: 'completed' });
  const finders = [
    (who: Guest) => findForecast({ database }, who, id, 'forecast.read'),
    (who: Guest) => findForecastFacts({ database }, who, id, 'forecast.read'),
    (who: Guest) => findOriginal({ database }, who, id),
  ];
  for (const find of finders) await assert.rejects(find(BERT), { code: 'NOT_FOUND' });
  await sql`UPDATE forecast SET visibility = 'public' WHERE id = ${id}`.execute(database.query());
  for (const find of finders) assert.equal((await find(BERT)).id, id);
  for (const action of ['forecast.cancel', 'forecast.prepare_save'] as const) {
    await assert.rejects(findForecastFacts({ database }, BERT, id, action), {
      code: 'OWNERSHIP_REQUIRED',
      message: /^Only who made this forecast can do this\./,
    });
  }
});

forEachDatabase(
  'what is not there takes as many statements as what is somebody else’s',
  { migrations },
  async (fixture) => {
    const { database } = fixture;
    const identity = identityOf(database);
    const people = await Promise.all([1, 2, 3].map(() => makeAccount(identity, { password: null })));
    const [owner, removed, stranger] = people.map(principalOf) as [Account, Account, Account];
    const workspace = await makeWorkspace(database, owner.accountId);
    const place = { forecasts_scope_mode: 'selected', forecasts_scope_ids: ['ef_other'] } as const;
    const blind = principalOf(await makeAccount(identity, { password: null }));
    await makeMember(database, workspace.id, blind.accountId, { ...place, forecasts_scope_ids: ['ef_other'] });
    const id = await addForecastRow(database, { owner: ANNA.guestId });
    const inWorkspace = await addForecastRow(database, { owner: ANNA.guestId });
    await sql`
    UPDATE forecast SET owner = ${removed.accountId}, account_id = ${removed.accountId}, guest_id = NULL,
      workspace_id = ${workspace.id}, visibility = 'workspace'
    WHERE id = ${inWorkspace}`.execute(database.query());

    const counted = countUses(database);
    const ask = async (who: Account | Guest, name: string, action: 'forecast.read' | 'forecast.cancel') => {
      const before = counted.uses();
      const fault = await findForecast(counted, who, name, action).catch((error) => error);
      return { code: fault.code, message: fault.message, uses: counted.uses() - before };
    };
    for (const action of ['forecast.read', 'forecast.cancel'] as const) {
      for (const who of [stranger, blind, BERT]) {
        const missing = await ask(who, 'ef_00000000000000000000000000', action);
        assert.equal(missing.code, 'NOT_FOUND');
        for (const name of [id, inWorkspace])
          assert.deepEqual(await ask(who, name, action), missing, `${action} ${name}`);
      }
      assert.equal(
        (await ask(removed, inWorkspace, action)).code,
        'WORKSPACE_DENIED',
        'who made it knows that it is there',
      );
      assert.equal((await ask(owner, inWorkspace, action)).code, undefined);
    }
  },
);
