import { setTimeout as sleep } from 'node:timers/promises';
import { openFoundation } from '../../src/compose/index.ts';
import { SCOPES } from '../../src/contract/index.ts';
import { createAccount, createApiKey } from '../../src/identity/index.ts';
import { createLog } from '../../src/platform/index.ts';
import type { Environment } from '../../test/support/cli/almanac-process.ts';
import { emptyPostgres, preparedFolder, type Service, startService } from '../../test/support/cli/service.ts';
import { loadTestConfig } from '../../test/support/platform/test-config.ts';

export type Kind = 'pglite' | 'postgres';

export interface ServiceUnderTest extends AsyncDisposable {
  readonly service: Service;
  /** The API key of an enterprise account. */
  readonly key: string;
  call(path: string, body?: object): Promise<Record<string, unknown>>;
}

/** Starts the real service with API and worker on a fresh database. */
export async function startServiceUnderTest(
  kind: Kind,
  { environment, nodeFlags = [] }: { environment?: Environment; nodeFlags?: readonly string[] } = {},
): Promise<ServiceUnderTest> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await preparedFolder());
  const server = kind === 'postgres' ? open.use(await emptyPostgres()) : null;
  const location = { data: folder.data, ...(server && { databaseUrl: server.url }) };
  const key = await makeKey({ ALMANAC_DATA: location.data, ...(server && { DATABASE_URL: server.url }) });
  const quiet = { ALMANAC_LOG_LEVEL: 'warn', ALMANAC_RATE_ENTERPRISE: '1000000' };
  const service = open.use(await startService({ ...location, environment: { ...quiet, ...environment }, nodeFlags }));
  const kept = open.move();
  return {
    service,
    key,
    async call(path, body) {
      const sent = body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      const response = await service.fetch(`/api/v1${path}`, { key, ...sent });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 300)}`);
      return (JSON.parse(text) as { data: Record<string, unknown> }).data;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function makeKey(environment: Environment): Promise<string> {
  const { database, identity } = await openFoundation(loadTestConfig(environment), createLog('warn'));
  try {
    const { id } = await createAccount(identity, { email: 'bench@example.org', plan: 'enterprise', verified: true });
    return (await createApiKey(identity, { accountId: id, name: 'bench', scopes: SCOPES })).key;
  } finally {
    await database.close();
  }
}

/** Waits until a forecast has ended. Throws if it failed, because the measurement is then useless. */
export async function untilCompleted({ call }: ServiceUnderTest, id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const forecast = await call(`/ensemble-forecasts/${id}`);
    if (forecast.status === 'completed') return forecast;
    if (forecast.status === 'failed') throw new Error(`${id} failed: ${JSON.stringify(forecast.error)}`);
    await sleep(20);
  }
}

/** Sends small reads, one after the other, until `work` is done. Returns how long each took, in milliseconds. */
export async function timeReads(
  { call }: Pick<ServiceUnderTest, 'call'>,
  work: Promise<unknown>,
  pauseMs: number,
): Promise<number[]> {
  let isDone = false;
  const finished = work.finally(() => {
    isDone = true;
  });
  const times: number[] = [];
  while (!isDone) {
    const began = performance.now();
    await call('/me/access');
    times.push(performance.now() - began);
    await sleep(pauseMs);
  }
  await finished;
  return times;
}
