import type { FastifyInstance } from 'fastify';
import { licensesWithout } from '../access/index.ts';
import { buildApp, createRateLimiter, oauthErrorPage, sessionSecretOf } from '../api/index.ts';
import { openAccessTokens, openOAuth, openOutsideIssuers, requestMailThrough } from '../identity/index.ts';
import type { MarketProvider } from '../market/index.ts';
import { type Queue, systemClock } from '../platform/index.ts';
import { openData } from './data.ts';
import { workspacesOf } from './domains.ts';
import type { Foundation } from './foundation.ts';
import { NO_QUEUE } from './missing-parts.ts';

export interface ApiOptions {
  readonly siteUrl: () => string;
  /** Where jobs are put. Without one nothing can be queued. */
  readonly queue?: Queue | undefined;
  /** Asked for bars before the bundled data. */
  readonly providers?: readonly MarketProvider[];
}

/** The HTTP edge over a foundation. */
export function buildApi(foundation: Foundation, options: ApiOptions): Promise<FastifyInstance> {
  const { database, config, log, identity, checkpoints } = foundation;
  const { siteUrl, queue = NO_QUEUE, providers = [] } = options;
  const licenses = licensesWithout(config.deniedLicenses);
  const data = openData({ database, log, clock: systemClock, providers, licenses });
  const { sources, search } = data;
  return buildApp({
    config,
    log,
    clock: systemClock,
    database,
    identity: { ...identity, requestMail: requestMailThrough(queue) },
    oauth: openOAuth(identity, { siteUrl, log, sessionSecret: sessionSecretOf, errorPage: oauthErrorPage }),
    accessTokens: openAccessTokens(identity, { siteUrl }),
    issuers: openOutsideIssuers({ issuers: config.issuers, clock: identity.clock, log, siteUrl }),
    limiter: createRateLimiter(database),
    ...data,
    licenses,
    jobs: { database, clock: systemClock, sources, queue, checkpoints, licenses, cursorKey: search.cursorKey },
    workspaces: workspacesOf(database, queue),
    csvFiles: { database, clock: systemClock, cursorKey: search.cursorKey },
    scout: { database, clock: systemClock, sources, cursorKey: search.cursorKey },
    screener: { database, clock: systemClock, cursorKey: search.cursorKey },
    siteUrl,
  });
}
