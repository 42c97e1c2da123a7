import { after, before } from 'node:test';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { testAccounts } from './accounts.ts';
import { testLocks } from './locks.ts';
import { testPages } from './pages.ts';

let service: ForecastService;

before(async () => {
  service = await openForecastService(testedKind);
});
after(() => service?.[Symbol.asyncDispose]());

testAccounts(() => service);
testLocks(() => service);
testPages(() => service);
