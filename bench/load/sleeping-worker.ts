// A worker whose engine sleeps instead of computing, so that many of them fit on one core. Its arguments are the address
// of the database and the milliseconds of a forecast.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, loadProphetRuntime } from '../../src/compute/index.ts';
import { createInlineRunner, createModels, type ForecastResult, forecast } from '../../src/engine/index.ts';
import { startForecastWorker } from '../../src/forecasts/index.ts';
import { openDatabase } from '../../src/platform/index.ts';
import { log, openForecastContext } from '../jobs/queue-forecasts.ts';

const [url = '', milliseconds] = process.argv.slice(2);
const runner = createInlineRunner(createModels({ prophet: loadProphetRuntime() }));
let result: Promise<ForecastResult> | undefined;

const database = await openDatabase({ url, poolSize: 3 });
const context = await openForecastContext(database, { supervise: false });
const engine: Engine = {
  models: [],
  isOpen: () => true,
  close: async () => {},
  forecast: async (request) => {
    result ??= forecast(request, { runner });
    const [found] = await Promise.all([result, sleep(Number(milliseconds))]);
    return found;
  },
};
process.send?.('ready');
// All workers begin together, so that none has taken jobs before the others are ready.
await once(process, 'message');
await startForecastWorker({ ...context, log }, async () => engine);
process.once('disconnect', () => process.exit(0));
