import assert from 'node:assert/strict';
import { DAY_MS } from '../../../src/calendar/index.ts';
import { FORECASTS } from '../forecasts/forecast-service.ts';
import { EVENTS, eventRequest } from '../scout/events.ts';
import type { HistoryBar } from './market-history.ts';
import type { MarketService, ServiceReply } from './market-service.ts';

/** A row of the stock history. */
export type Row = Omit<HistoryBar, 'timestamp'> & { readonly timestamp: string };

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it checks
type Data = any;

/** An account that uses the service over HTTP. Its functions fail unless the service answers successfully. */
export interface MarketAccount {
  readonly email: string;
  /** Sends a request and returns the reply, whatever its status. */
  readonly send: (method: 'GET' | 'POST', path: string, body?: object) => Promise<ServiceReply>;
  /** Sends a request and returns the data of the reply. */
  readonly ask: (method: 'GET' | 'POST', path: string, body?: object) => Promise<Data>;
  readHistory(symbol: string, timeframe?: string, fields?: object): Promise<Data>;
  /** Returns the date of the last daily bar. */
  lastDay(symbol: string): Promise<string>;
  /** Searches for markets. Returns `symbol status` of each result. */
  search(query: string): Promise<string[]>;
  /** Saves a filter that sends emails. */
  saveFilter(name: string, conditions: readonly object[], universe?: 'all' | readonly string[]): Promise<string>;
  /** Returns the latest matches of a filter, with the values of its fields by symbol. */
  readMatches(filter: string): Promise<{ session: string; values: Data; missing: string[] }>;
  /** Returns `session state` of every email, by session. Checks that every sent one has arrived once. */
  readMails(): Promise<string[]>;
  /** Creates a forecast of a market and waits for its result. */
  forecast(symbol: string, fields?: object, source?: object): Promise<Data>;
  readForecast(id: string): Promise<Data>;
  /** Publishes a question about a daily close, which its rule resolves. */
  publish(symbol: string, date: string, op: 'gt' | 'lt', threshold: number): Promise<ServiceReply>;
  /** Returns the status of a question. */
  readStatus(id: string | undefined): Promise<string>;
}

const FILTERS = '/v1/me/screener-alerts';
const MODELS = ['seasonal_naive', 'theta'];

/** Creates an account on the service. */
export async function createMarketAccount(
  service: MarketService,
  spec: { readonly administrator?: boolean } = {},
): Promise<MarketAccount> {
  const { email, send } = await service.account(spec);

  const ask: MarketAccount['ask'] = async (method, path, body) => {
    const { status, body: reply } = await send(method, path, body);
    assert.ok(status >= 200 && status < 300, `${method} ${path}: ${status} ${JSON.stringify(reply)}`);
    return reply.data ?? reply;
  };
  const readHistory: MarketAccount['readHistory'] = (symbol, timeframe = '1D', fields = {}) =>
    ask('POST', '/market-data/stocks/history', { symbol, timeframe, ...fields });
  const readForecast: MarketAccount['readForecast'] = async (id) => {
    await service.finishJobs();
    const found = await ask('GET', `${FORECASTS}/${id}`);
    assert.equal(found.status, 'completed', JSON.stringify(found.error));
    return found;
  };

  return {
    email,
    send,
    ask,
    readHistory,
    lastDay: async (symbol) => dateOf((await readHistory(symbol)).rows.at(-1).timestamp),
    async search(query) {
      const { results } = await ask('POST', '/v1/market-search', { query, types: ['market'] });
      return results.map(({ source, status }: Data) => `${source.symbol} ${status}`);
    },
    async saveFilter(name, conditions, universe = 'all') {
      return (await ask('POST', FILTERS, { name, universe, all: conditions, email: true })).id;
    },
    async readMatches(filter) {
      const { session, matches, run } = await ask('GET', `${FILTERS}/${filter}/matches`);
      const values = Object.fromEntries(matches.map((match: Data) => [match.symbol, match.values]));
      return { session, values, missing: run.missing };
    },
    async readMails() {
      const { mails } = await ask('GET', '/v1/me/screener-mails?limit=100');
      const states: string[] = mails.map((one: Data) => `${one.session} ${one.state}`).sort();
      const arrived = service.mail.mails.filter(({ recipients }) => recipients.includes(email)).length;
      assert.equal(arrived, states.filter((one) => one.endsWith(' sent')).length);
      return states;
    },
    async forecast(symbol, fields = {}, source = {}) {
      const reference = { type: 'market', symbol, timeframe: '1D', ...source };
      const body = { source: reference, horizon: 3, models: MODELS, limit: 60, ...fields };
      return readForecast((await ask('POST', FORECASTS, body)).forecast_id);
    },
    readForecast,
    publish(symbol, date, op, threshold) {
      const source = { type: 'market', symbol, timeframe: '1D' };
      const now = service.clock.now().getTime();
      const fields = {
        input_cutoff_at: new Date(now).toISOString(),
        resolution_deadline: new Date(now + 60 * DAY_MS).toISOString(),
        resolution_rule: { type: 'threshold', source, op, threshold, observed_at: `${date}T00:00:00Z` },
      };
      return send('POST', EVENTS, eventRequest(fields));
    },
    readStatus: async (id) => (await ask('GET', `${EVENTS}/${id}`)).status,
  };
}

/** @example dateOf('2024-11-01T13:30:00.000Z') // 2024-11-01 */
export function dateOf(timestamp: string): string {
  return timestamp.slice(0, 10);
}

/** Returns the timestamps of the predictions of a forecast. */
export function predictedTimes({ predictions }: Data): string[] {
  return predictions.map(({ timestamp }: { timestamp: string }) => timestamp);
}
