import assert from 'node:assert/strict';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { loadTestConfig } from '../../../test/support/platform/test-config.ts';
import { createFoundation, MIGRATIONS } from '../../compose/index.ts';
import { createLog, type Database } from '../../platform/index.ts';
import { latestSession } from '../../screener/index.ts';
import { executeOperation } from '../run-operation.ts';

const OPTIONS = { migrations: MIGRATIONS };

function openFoundation(database: Database) {
  return createFoundation({ config: loadTestConfig(), log: createLog('silent'), database });
}

forEachDatabase('evaluates a past session, and stores it only with keep', OPTIONS, async ({ database }) => {
  const foundation = openFoundation(database);
  const preview = { universe: ['aapl'], all: [{ field: 'close', op: 'gt', value: 100 }] };
  const replay = await executeOperation(foundation, 'screener run', { session: '2018-05-10', preview });
  assert.deepEqual((replay as { preview: object }).preview, {
    total: 1,
    matches: [{ symbol: 'AAPL', values: { close: 190.039993 }, is_new: true }],
  });
  assert.equal(await latestSession(database), null);
  const kept = await executeOperation(foundation, 'screener run', { session: '2018-05-10', keep: true });
  assert.equal((kept as { run: string }).run, 'completed');
  assert.equal(await latestSession(database), '2018-05-10');
});

forEachDatabase('names the field that is wrong, and stores nothing', OPTIONS, async ({ database }) => {
  const foundation = openFoundation(database);
  const bad: readonly [input: object, message: RegExp][] = [
    [{ session: 'yesterday' }, /^session: must be a date such as 2018-05-11\.$/],
    [{ session: '2018-05-12', keep: true }, /^session: the exchange is closed/],
    [{ session: '2018-05-10', preview: { universe: 'all' } }, /^preview/],
    [{ session: '2199-05-10' }, /^session: /],
    [
      { session: '2018-05-10', preview: { universe: 'all', all: [{ field: 'x', op: 'gt', value: 1 }] } },
      /^preview\.all\[0\]\.field: /,
    ],
  ];
  for (const [input, message] of bad) {
    await assert.rejects(executeOperation(foundation, 'screener run', input), { name: 'Fault', message });
  }
  assert.equal(await latestSession(database), null);
});
