import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runExamples } from '../test/support/api/run-examples.ts';
import { EMPTY_FOLDER, openForecastService } from '../test/support/forecasts/forecast-service.ts';

/**
 * Runs every example of the API against a service with an empty database, and stores the responses, which the OpenAPI
 * document shows. Run it when a response gets another form: npm run examples
 */
const file = join(import.meta.dirname, '../src/contract/examples/recorded.json');
/** The default limits, which tests switch off. */
const RATES = {
  ALMANAC_RATE_ANONYMOUS: '120',
  ALMANAC_RATE_GUEST: '300',
  ALMANAC_RATE_FREE: '300',
  ALMANAC_RATE_PRO: '600',
  ALMANAC_RATE_ENTERPRISE: '3000',
};
await using service = await openForecastService('pglite', { dataFolder: EMPTY_FOLDER, environment: RATES });
const run = await runExamples(service);
writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
