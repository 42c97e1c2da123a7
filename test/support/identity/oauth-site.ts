import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { buildApi, createFoundation } from '../../../src/compose/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import { createLog, type Database } from '../../../src/platform/index.ts';
import { listenOnLoopback } from '../api/http.ts';
import { loadTestConfig } from '../platform/test-config.ts';

/** The API and its pages on a real port, whose URL is the site's URL. */
export interface OAuthSite {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly identity: IdentityContext;
  /** Every log line so far. */
  readonly logged: () => string;
}

const LIMIT = '1000000';

/** @param siteUrl the site's URL, if it differs from the port's: a second process behind the same proxy */
export async function openOAuthSite(
  database: Database,
  { siteUrl, environment = {} }: { siteUrl?: string; environment?: Record<string, string> } = {},
): Promise<OAuthSite & { readonly listensAt: string }> {
  const config = loadTestConfig({
    NODE_ENV: 'test',
    ALMANAC_LOG_LEVEL: 'trace',
    ALMANAC_RATE_ANONYMOUS: LIMIT,
    ALMANAC_RATE_PRO: LIMIT,
    ...environment,
  });
  const lines: string[] = [];
  const log = createLog(
    config.logLevel,
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  );
  let url = siteUrl ?? '';
  const foundation = createFoundation({ config, log, database });
  const { identity } = foundation;
  const app = await buildApi(foundation, { siteUrl: () => url });
  const listensAt = `http://127.0.0.1:${await listenOnLoopback(app)}`;
  url ||= listensAt;
  return { url, listensAt, app, identity, logged: () => lines.join('') };
}
