import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { buildApi, checkpointsOf, identityOf } from '../../../src/compose/index.ts';
import type { ModelCheckpoints } from '../../../src/compute/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import { type Config, createLog, type Database, loadConfig, type Queue } from '../../../src/platform/index.ts';

export const SITE_URL = 'http://127.0.0.1:8080';

export interface TestApi {
  readonly app: FastifyInstance;
  readonly identity: IdentityContext;
  readonly config: Config;
  /** Every log line so far. */
  readonly logged: () => string;
}

/**
 * The whole HTTP edge over a test database; every response is checked against its schema.
 *
 * @param addRoutes puts routes of the test's own beside those of the contract, behind the same hooks
 */
export async function openApi(
  database: Database,
  environment: Record<string, string> = {},
  addRoutes?: (app: FastifyInstance) => void,
  queue?: Queue,
  checkpoints?: ModelCheckpoints,
): Promise<TestApi> {
  const config = loadConfig({ NODE_ENV: 'test', ALMANAC_LOG_LEVEL: 'debug', ...environment });
  const lines: string[] = [];
  const sink = new PassThrough().on('data', (chunk) => lines.push(String(chunk)));
  const log = createLog(config.logLevel, sink);
  const identity = identityOf(database, queue);
  const known = checkpoints ?? checkpointsOf(config, log);
  const foundation = { config, log, database, identity, checkpoints: known };
  const app = await buildApi(foundation, { siteUrl: () => config.siteUrl ?? SITE_URL, queue });
  addRoutes?.(app);
  await app.ready();
  return { app, identity, config, logged: () => lines.join('') };
}
