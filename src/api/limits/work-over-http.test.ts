import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { assertFault } from '../../../test/api/assert-fault.ts';
import { openApi } from '../../../test/support/api/api.ts';
import { makeAccount, withKey } from '../../../test/support/identity/callers.ts';
import { countUses } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { makeCsvFile } from '../../../test/support/workspaces/csv-files.ts';
import { makeWorkspace } from '../../../test/support/workspaces/workspaces.ts';
import { MIGRATIONS } from '../../compose/index.ts';

const MIGRATED = { migrations: MIGRATIONS };
const SCOREBOARD = '/api/v1/scout/scoreboard';
const ACCESS = '/api/v1/me/access';

/** Returns a new key that looks like one of the service. */
function unknownKey(example: string): string {
  const secret = example.replace(/^Bearer /, '');
  const prefix = secret.slice(0, 'alm_pat_'.length);
  return `Bearer ${prefix}${randomBytes(48)
    .toString('base64url')
    .slice(0, secret.length - prefix.length)}`;
}

forEachDatabase('a heavy operation counts as several requests', MIGRATED, async ({ database }) => {
  const api = await openApi(database, { ALMANAC_RATE_PRO: '25' });
  const account = await makeAccount(api.identity, { password: null });
  const headers = await withKey(api.identity, account.id);
  for (const left of ['15', '5']) {
    const board = await api.app.inject({ url: SCOREBOARD, headers });
    assert.deepEqual([board.statusCode, board.headers['ratelimit-remaining']], [200, left]);
  }
  const refused = await api.app.inject({ url: SCOREBOARD, headers });
  assert.match(
    assertFault(refused, 'RATE_LIMITED'),
    /^This request counts as 10 of your 25 requests a minute, but fewer are left \(5\)\./,
  );
  assert.equal(refused.headers['retry-after'], refused.headers['ratelimit-reset']);
  assert.equal(refused.headers['ratelimit-remaining'], '5');
  const small = await api.app.inject({ url: ACCESS, headers });
  assert.deepEqual([small.statusCode, small.headers['ratelimit-remaining']], [200, '4']);
  const usage = await api.app.inject({ url: '/api/v1/me/usage', headers });
  assert.deepEqual([usage.json().data.requests.limit, usage.headers['ratelimit-remaining']], [25, '3']);
  await api.app.close();
});

forEachDatabase(
  'refuses a flood of unknown credentials without a lookup, but not known ones',
  MIGRATED,
  async ({ database }) => {
    const counted = countUses(database);
    const api = await openApi(counted.database, { ALMANAC_RATE_ANONYMOUS: '5' });
    const account = await makeAccount(api.identity, { password: null });
    const known = await withKey(api.identity, account.id);
    const late = await withKey(api.identity, account.id);
    const get = (headers: Record<string, string>, remoteAddress = '192.0.2.1') =>
      api.app.inject({ url: ACCESS, headers, remoteAddress });
    assert.equal((await get(known)).statusCode, 200);
    // Twice as many as requests without a credential are looked up.
    for (let time = 0; time < 10; time++) await get({ authorization: unknownKey(known.authorization) });
    const before = counted.uses();
    for (let time = 0; time < 20; time++) {
      const refused = await get({ authorization: unknownKey(known.authorization) });
      assert.match(assertFault(refused, 'RATE_LIMITED'), /^Too many unknown credentials from your network\./);
      assert.ok(Number(refused.headers['retry-after']) >= 1);
    }
    await get({ cookie: `__Host-almanac_session=alm_ses_${randomBytes(32).toString('base64url')}` });
    assert.equal(counted.uses() - before, 0, 'the database was asked');
    assert.equal((await get(known)).statusCode, 200, 'a credential that was accepted before the flood');
    assertFault(await get(late), 'RATE_LIMITED');
    assert.equal((await get(late, '192.0.2.2')).statusCode, 200, 'the same credential from another network');
    assert.equal((await get(late)).statusCode, 200, 'once accepted, it is known everywhere');
    await api.app.close();
  },
);

forEachDatabase(
  'refused work counts by the rows that it read, and takes no credits',
  MIGRATED,
  async ({ database }) => {
    const api = await openApi(database, { ALMANAC_RATE_PRO: '100' });
    const account = await makeAccount(api.identity, { password: null });
    const headers = await withKey(api.identity, account.id);
    const workspace = await makeWorkspace(database, account.id);
    const minutes = Array.from({ length: 20_001 }, (_, minute) => new Date(minute * 60_000).toISOString().slice(0, 16));
    const upload = async (cells: (minute: number) => string) => {
      const text = `time,value\n${minutes.map((time, minute) => `${time},${cells(minute)}`).join('\n')}\n`;
      return makeCsvFile(database, workspace.id, account.id, text);
    };
    const create = async (csv_id: string) => {
      const source = {
        type: 'workspace_csv',
        workspace_id: workspace.id,
        csv_id,
        time_field: 'time',
        value_field: 'value',
      };
      const payload = { source, horizon: 5, frequency: '1D' };
      const refused = await api.app.inject({ method: 'POST', url: '/api/v1/ensemble-forecasts', headers, payload });
      assert.match(assertFault(refused, 'UNPROCESSABLE'), /^frequency: the series is 1min\./);
      return refused.headers['ratelimit-remaining'];
    };
    // With a gap, the frequency of the series is known only after its rows are read.
    assert.equal(
      await create(await upload((minute) => (minute === 0 ? '' : '1'))),
      '93',
      'five and two for 20,001 rows',
    );
    assert.equal(await create(await upload(() => '1')), '88', 'the stored frequency was enough');
    const { data } = (await api.app.inject({ url: '/api/v1/me/usage', headers })).json();
    assert.deepEqual([data.credits.used, data.credits.reserved, data.slots.used], [0, 0, 0]);
    await api.app.close();
  },
);
