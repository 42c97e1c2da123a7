import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachDatabase } from '../../test/support/database.ts';
import { addForecastRow, FORECAST_MIGRATIONS as migrations } from '../../test/support/forecast-rows.ts';
import type { Guest } from '../access/index.ts';
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
  await assert.rejects(findForecastFacts({ database }, BERT, id, 'forecast.cancel'), { code: 'NOT_FOUND' });
});
