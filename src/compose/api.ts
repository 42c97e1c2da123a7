import type { FastifyInstance } from 'fastify';
import {
  buildApp,
  createHeavyWork,
  createRateLimiter,
  KnownCredentials,
  oauthErrorPage,
  readSessionCookie,
} from '../api/index.ts';
import { createLoadGuard, freeFailedSnapshots, openForecastKeys } from '../forecasts/index.ts';
import { openAccessTokens, openExternalIssuers, openOAuth } from '../identity/index.ts';
import { createSymbolListing, type MarketProvider } from '../market/index.ts';
import { guardedGet, measureLoopDelay, type Queue } from '../platform/index.ts';
import { openData } from './data.ts';
import { createIdentityContext, createWorkspaceContext, NO_QUEUE } from './domains.ts';
import { listKnownAdapters } from './economic.ts';
import type { Foundation } from './foundation.ts';
import { listKnownProviders } from './providers.ts';

export interface ApiOptions {
  readonly siteUrl: () => string;
  /** Receives the jobs. Without a queue, operations that need one are refused. */
  readonly queue?: Queue | undefined;
  /** Used instead of the configured providers. */
  readonly providers?: readonly MarketProvider[];
}

/** Builds the HTTP application on a foundation. */
export async function buildApi(foundation: Foundation, options: ApiOptions): Promise<FastifyInstance> {
  const { database, clock, config, log, licenses, checkpoints, adapters, warehouse, stamps } = foundation;
  const { siteUrl, queue = NO_QUEUE, providers = foundation.providers } = options;
  const base = { database, clock };
  const loop = measureLoopDelay();
  const { engines } = checkpoints;
  const load = createLoadGuard({ database, loop, limits: config.shedding, engine: engines.present });
  const identity = createIdentityContext(base, queue);
  const data = openData({
    ...base,
    log,
    providers,
    adapters,
    warehouse,
    licenses,
    barStoreBytes: config.market.barStoreBytes,
  });
  const { sources } = data;
  const { cursorKey } = data.search;
  const app = await buildApp({
    config,
    log,
    ...base,
    identity,
    oauth: openOAuth(identity, {
      siteUrl,
      log,
      sessionSecret: readSessionCookie,
      errorPage: oauthErrorPage,
      getDocument: (url) => guardedGet(url, { allow: config.outboundAllow, headers: { accept: 'application/json' } }),
    }),
    accessTokens: openAccessTokens(identity, { siteUrl }),
    issuers: openExternalIssuers({ issuers: config.issuers, allow: config.outboundAllow, clock, log, siteUrl }),
    limiter: createRateLimiter(database),
    knownCredentials: new KnownCredentials(),
    heavyWork: createHeavyWork(config.heavyWork),
    ...data,
    knownProviders: listKnownProviders(foundation, providers),
    knownAdapters: listKnownAdapters(foundation),
    licenses,
    forecasts: {
      ...base,
      ...openForecastKeys(database),
      sources,
      queue,
      checkpoints,
      licenses,
      cursorKey,
      unpaidCpuSeconds: config.unpaidCpuSeconds,
      load,
      storage: config.storage,
      stamps,
    },
    workspaces: { ...createWorkspaceContext(base, { queue, storage: config.storage }), cursorKey },
    csvFiles: { ...base, cursorKey, storage: config.storage, freeBytes: freeFailedSnapshots(clock) },
    scout: { ...base, sources, stamps, cursorKey },
    webhooks: { ...base, queue, cursorKey, outboundAllow: config.outboundAllow },
    screener: { ...base, cursorKey, listing: createSymbolListing(data.market, { clock, log }) },
    siteUrl,
  });
  app.addHook('onClose', async () => loop.close());
  return app;
}
