import assert from 'node:assert/strict';
import { addForecastRow, FORECAST_MIGRATIONS as migrations } from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database } from '../../platform/index.ts';
import { takenSlots } from './admission.ts';
import { enterNetwork, leaveNetwork, NETWORK_SLOTS } from './network-slots.ts';

const NETWORK = 'network:a';

forEachDatabase(
  'as many get in as a network has slots, and one more for each that leaves',
  { migrations },
  async (it) => {
    const { database } = it;
    const entered: string[] = [];
    for (let guest = 0; guest < NETWORK_SLOTS; guest += 1) entered.push((await enter(database)) ?? '');
    assert.ok(entered.every(Boolean));
    assert.equal(await enter(database), null);
    assert.ok(await enter(database, 'network:b'), 'networks do not share');
    await leave(database, entered[0]);
    assert.ok(await enter(database));
    assert.equal(await takenSlots(database, NETWORK), NETWORK_SLOTS);
  },
);

forEachDatabase(
  'a forecast leaves its network once, and one without a slot leaves none',
  { migrations },
  async (it) => {
    const { database } = it;
    const [first] = [await enter(database), await enter(database)];
    await leave(database, first);
    await leave(database, first);
    await leave(database, await addForecastRow(database, { owner: 'gst_elsewhere' }));
    assert.equal(await takenSlots(database, NETWORK), 1);
  },
);

let guests = 0;

/** The id of a new guest's forecast; null: there was no slot for it. */
async function enter(database: Database, network = NETWORK): Promise<string | null> {
  guests += 1;
  const id = await addForecastRow(database, { owner: `gst_${guests}` });
  return (await database.transaction((tx) => enterNetwork(tx, network, id))) ? id : null;
}

async function leave(database: Database, id: string | null | undefined): Promise<void> {
  assert.ok(id);
  await database.transaction((tx) => leaveNetwork(tx, id));
}
