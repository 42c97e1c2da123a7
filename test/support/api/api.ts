import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { buildApi, createFoundation, createIdentityContext } from '../../../src/compose/index.ts';
import type { ModelCheckpoints } from '../../../src/compute/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import { type Config, createLog, type Database, type Queue } from '../../../src/platform/index.ts';
import { tinyCheckpoints } from '../compute/tiny-checkpoints.ts';
import { loadTestConfig } from '../platform/test-config.ts';

export const SITE_URL = 'http://127.0.0.1:8080';

export interface TestApi {
  readonly app: FastifyInstance;
  readonly identity: IdentityContext;
  readonly config: Config;
  /** Returns all log lines so far. */
  readonly logged: () => string;
}

/**
 * Opens the HTTP application on a test database. Every response is checked against its schema.
 *
 * @param addRoutes adds routes of the test, behind the same hooks as those of the contract
 */
export async function openApi(
  database: Database,
  environment: Record<string, string> = {},
  addRoutes?: (app: FastifyInstance) => void,
  queue?: Queue,
  checkpoints: ModelCheckpoints | undefined = environment.ALMANAC_DATA === undefined ? tinyCheckpoints() : undefined,
): Promise<TestApi> {
  const config = loadTestConfig({ NODE_ENV: 'test', ALMANAC_LOG_LEVEL: 'debug', ...environment });
  const lines: string[] = [];
  const sink = new PassThrough().on('data', (chunk) => lines.push(String(chunk)));
  const log = createLog(config.logLevel, sink);
  const foundation = createFoundation({ config, log, database, ...(checkpoints && { checkpoints }) });
  const identity = createIdentityContext(foundation, queue);
  const app = await buildApi(foundation, { siteUrl: () => config.siteUrl ?? SITE_URL, queue });
  addRoutes?.(app);
  await app.ready();
  return { app, identity, config, logged: () => lines.join('') };
}
