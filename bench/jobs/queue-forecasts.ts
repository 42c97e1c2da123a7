import { type Account, ALL_LICENSES } from '../../src/access/index.ts';
import {
  createIdentityContext,
  createStampPolicy,
  openCheckpoints,
  openData,
  QUEUES,
} from '../../src/compose/index.ts';
import { ForecastRequestBody, SCOPES } from '../../src/contract/index.ts';
import { createForecast, type ForecastContext, openForecastKeys } from '../../src/forecasts/index.ts';
import { authenticateKey, createAccount, createApiKey } from '../../src/identity/index.ts';
import { createLog, type Database, loadConfig, openQueue, systemClock } from '../../src/platform/index.ts';
import { smallRequest } from './small-request.ts';

export const log = createLog('warn');

/** Opens the context for creating forecasts in this process. */
export async function openForecastContext(
  database: Database,
  { supervise }: { supervise: boolean },
): Promise<ForecastContext> {
  const queue = await openQueue(database, { queues: QUEUES, supervise, log });
  const { sources, search } = openData({
    database,
    log,
    clock: systemClock,
    providers: [],
    adapters: [],
    licenses: ALL_LICENSES,
  });
  const config = loadConfig({});
  const checkpoints = openCheckpoints(config, log);
  const { cursorKey } = search;
  const keys = openForecastKeys(database);
  return {
    database,
    clock: systemClock,
    sources,
    queue,
    checkpoints,
    licenses: ALL_LICENSES,
    cursorKey,
    unpaidCpuSeconds: config.unpaidCpuSeconds,
    load: { admitForecast: async () => {}, admitUpload: () => {} },
    storage: config.storage,
    stamps: createStampPolicy(config),
    ...keys,
  };
}

/** Fewer than the slots of an enterprise account. */
const JOBS_PER_ACCOUNT = 30;

let accounts = 0;

/** Queues small forecasts for several accounts. */
export async function queueForecasts(
  context: ForecastContext,
  count: number,
  size?: Parameters<typeof smallRequest>[1],
): Promise<void> {
  let caller: Account | undefined;
  for (let i = 0; i < count; i += 1) {
    if (caller === undefined || i % JOBS_PER_ACCOUNT === 0) caller = await makeCaller(context.database);
    const body = ForecastRequestBody.parse(smallRequest(i, size));
    await createForecast(context, caller, body, { idempotencyKey: null, network: null });
  }
}

/** Creates an account of the enterprise plan. */
export async function makeCaller(database: Database): Promise<Account> {
  const identity = createIdentityContext({ database, clock: systemClock });
  accounts += 1;
  const email = `bench-${accounts}@example.org`;
  const { id } = await createAccount(identity, { email, plan: 'enterprise', verified: true });
  const { key } = await createApiKey(identity, { accountId: id, name: 'bench', scopes: SCOPES });
  const caller = await authenticateKey(identity, key);
  if (caller === null) throw new Error('The new API key was not accepted.');
  return caller;
}
