import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { makeFilter } from '../../../test/support/screener/filters.ts';
import { openRunScene } from '../../../test/support/screener/run-scene.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { runSession } from './run-session.ts';

const SESSION = '2024-03-27';

forEachDatabase(
  'evaluates the other filters when a stored one is invalid',
  { migrations: MIGRATIONS },
  async (fixture) => {
    const { database } = fixture;
    const scene = openRunScene(fixture, [bulkProvider({ A: barsEndingAt(SESSION, [5, 20]) })]);
    const { id } = await makeAccount(movableIdentity(database), { password: null });
    const [invalid, valid] = [await makeFilter(database, id), await makeFilter(database, id)];
    const conditions = JSON.stringify([{ field: 'close', op: 'gt', value: 'sma_20 * 1.1' }]);
    await sql`UPDATE screener_filter SET conditions = ${conditions}::jsonb WHERE id = ${invalid.id}`.execute(
      database.query(),
    );
    assert.equal(await runSession(scene.context, SESSION, { isPast: false }), 'completed');
    assert.deepEqual(await scene.readMatches(invalid.id, SESSION), []);
    assert.deepEqual(await scene.readMatches(valid.id, SESSION), ['A!']);
  },
);
