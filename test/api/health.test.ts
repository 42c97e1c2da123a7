import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi } from '../support/api/api.ts';
import { countUses } from '../support/platform/counted-database.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';

test('live and ready run no statement, and ready reports a closed database', async () => {
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const watched = countUses(fixture.database);
  const { app, logged } = await openApi(watched.database, { ALMANAC_RATE_ANONYMOUS: '1' });
  for (let time = 0; time < 5; time++) {
    const live = await app.inject('/health/live');
    assert.deepEqual([live.statusCode, live.json()], [200, { status: 'live' }]);
    const ready = await app.inject('/health/ready?probe=1');
    assert.deepEqual([ready.statusCode, ready.json()], [200, { status: 'ready' }]);
  }
  assert.equal(watched.uses(), 0, 'a supervisor checks every second, so a check must cost and count nothing');

  await app.inject('/api/v1/nothing');
  assert.equal(watched.uses(), 1, 'statements are counted');

  await fixture.database.close();
  const live = await app.inject('/health/live');
  assert.deepEqual([live.statusCode, live.json()], [200, { status: 'live' }]);
  const ready = await app.inject('/health/ready');
  assert.deepEqual([ready.statusCode, ready.json()], [503, { status: 'not_ready', reason: 'database closed' }]);
  assert.equal(ready.headers['retry-after'], '5');
  assert.equal(watched.uses(), 1);
  assert.doesNotMatch(logged(), /health/, 'health checks are not logged');
  await app.close();
});
