// A worker that runs the screener once. Its arguments are the address of the database, the number of symbols and the number
// of filters. It reports when it is ready, begins when it is told to, and reports its seconds.

import { once } from 'node:events';
import { previousSession } from '../../src/calendar/index.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';
import { openDatabase } from '../../src/platform/index.ts';
import { runSession } from '../../src/screener/index.ts';
import { formatSession } from '../../src/screener/run/session-dates.ts';
import { openRunScene } from '../../test/support/screener/run-scene.ts';
import { generateFilters } from '../screener/filters.ts';
import { rowsOf, storeFilters } from '../screener/stored-filters.ts';
import { createRandomWalkProvider } from '../screener/walks.ts';

const [url = '', symbols, filters] = process.argv.slice(2);
const LAST = Date.UTC(2024, 2, 28);

const database = await openDatabase({ url, poolSize: 3 });
const names = Array.from({ length: Number(symbols) }, (_, i) => `S${String(i).padStart(4, '0')}`);
const scene = openRunScene({ database }, [createRandomWalkProvider(names, LAST)]);
scene.setTime('2024-03-28T21:00:00Z');

async function run(session: string): Promise<void> {
  const outcome = await runSession(scene.context, session, { isPast: false });
  if (outcome !== 'completed') throw new Error(`The run ended as ${outcome}.`);
}

const before = formatSession(previousSession(LAST));
await run(before);
await storeFilters(database, generateFilters(createRandom(1), Number(filters), await rowsOf(database, before)));
process.send?.('ready');
await once(process, 'message');
const began = performance.now();
await run(formatSession(LAST));
process.send?.((performance.now() - began) / 1_000);
await database.close();
process.disconnect();
