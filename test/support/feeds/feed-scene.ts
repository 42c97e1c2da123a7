import type { FastifyInstance } from 'fastify';
import type { FeedKind, Scope } from '../../../src/contract/index.ts';
import { openApi } from '../api/api.ts';
import { type Reply, requestAs } from '../api/request-as.ts';
import { type Caller, create, type ForecastService } from '../forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../forecasts/run-attempt.ts';
import { withKey } from '../identity/callers.ts';

export const FEEDS = '/v1/feeds';

export const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };

/** A feed as the operations show it. */
export interface ShownFeed {
  readonly id: string;
  readonly kind: FeedKind;
  readonly name: string | null;
  readonly request: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly last_read_at: string | null;
}

/** The licenses of the data of each kind: bars, the series above, and the models of a forecast. */
export const DENIED_LICENSES = [
  'apache-2.0',
  'CC BY-SA 4.0 (the package); the data are a U.S. Government work',
  'ISC (the package); no license is stated for the data from Yahoo Finance',
].join(',');

/** Returns a body that creates a feed of each kind. */
export function bodiesFor(forecast: string): Readonly<Record<FeedKind, object>> {
  return {
    history: { kind: 'history', request: { symbol: 'AAPL', timeframe: '1D' } },
    observations: { kind: 'observations', request: { source: CPI, limit: 24 } },
    forecast: { kind: 'forecast', request: { forecast_id: forecast } },
  };
}

let result: ReturnType<typeof computeResult> | undefined;

/** Creates a completed forecast of the caller. */
export async function completeForecast(
  service: ForecastService,
  caller: Pick<Caller, 'request'>,
  fields: object = {},
): Promise<{ readonly id: string; readonly slug: string }> {
  const { data } = await create(caller, fields);
  result ??= computeResult();
  const computed = await result;
  await runAttempt(service, await activateJob(service.database, data.forecast_id), async () => computed);
  return { id: data.forecast_id, slug: data.slug };
}

/** Creates a feed. The reply has the token only if the feed was created. */
export async function createFeed(
  { request }: Pick<Caller, 'request'>,
  body: object,
): Promise<Reply<ShownFeed & { url: string }> & { readonly token: string }> {
  const reply = await request<ShownFeed & { url: string }>('POST', FEEDS, body);
  return { ...reply, token: reply.data?.url.split('/').at(-1) ?? '' };
}

/** Reads a feed without any credential. */
export function readFeed(
  app: FastifyInstance,
  token: string,
  options: {
    readonly headers?: Record<string, string>;
    readonly method?: 'GET' | 'HEAD';
    readonly remoteAddress?: string;
  } = {},
) {
  return app.inject({ method: 'GET', url: `/api${FEEDS}/${token}`, ...options });
}

/** Reads a feed. Returns its status and, if it was refused, the code. */
export async function answerOf(app: FastifyInstance, token: string): Promise<string> {
  const { statusCode, body } = await readFeed(app, token);
  return statusCode === 200 ? '200' : `${statusCode} ${JSON.parse(body).error.code}`;
}

/** Returns a caller with another key of the same account. */
export async function withScopes(
  { app, identity }: ForecastService,
  accountId: string,
  scopes: readonly Scope[],
): Promise<Pick<Caller, 'request'>> {
  return { request: requestAs(app, await withKey(identity, accountId, scopes)) };
}

/** Opens another edge on the database of a service, with other settings. */
export function openEdge({ database, queue, forecasts }: ForecastService, environment: Record<string, string>) {
  const rates = ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']);
  const settings = { ...Object.fromEntries(rates), ...environment };
  return openApi(database, settings, undefined, queue, forecasts.checkpoints);
}
