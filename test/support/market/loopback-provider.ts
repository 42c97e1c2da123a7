import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BarPage, MarketProvider, RawBar } from '../../../src/market/providers/provider.ts';
import { ProviderError } from '../../../src/platform/index.ts';
import { STOCKS } from './stocks.ts';

/** A bar as the loopback provider writes it. */
export interface WireBar {
  readonly t: string;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v: number;
}

/** Replies to one request, correctly or not. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface LoopbackProvider extends AsyncDisposable {
  readonly url: string;
  readonly adapter: MarketProvider;
  /** Replies to the next requests, one each; further requests get a correct page. */
  readonly script: Reply[];
  /** The paths of the requests, in order. */
  readonly requests: string[];
}

export interface LoopbackOptions {
  /** Oldest first. */
  readonly bars: readonly WireBar[];
  readonly pageSize: number;
}

const SYMBOL = 'KNOWN';
const ID = 'loopback';

/** Starts a provider over real HTTP on this machine: pages of JSON, the latest bars first, and scripted faults. */
export async function startLoopbackProvider({ bars, pageSize }: LoopbackOptions): Promise<LoopbackProvider> {
  const script: Reply[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://loopback');
    requests.push(`${address.pathname}${address.search}`);
    const scripted = script.shift();
    if (scripted !== undefined) scripted(request, response);
    else if (address.searchParams.get('symbol') !== SYMBOL) sendJson({ message: 'not found' }, 404)(request, response);
    else sendText(correctPage(bars, pageSize, address.searchParams.get('page_token')))(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    adapter: loopbackAdapter(url),
    script,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns the text of a token's page: the bars before it, the latest first. */
export function correctPage(bars: readonly WireBar[], pageSize: number, token: string | null): string {
  const end = token === null ? bars.length : Number(token);
  const start = Math.max(0, end - pageSize);
  return JSON.stringify({
    bars: bars.slice(start, end).reverse(),
    next_page_token: start === 0 ? null : String(start),
  });
}

export function sendText(text: string | Uint8Array, status = 200, headers: Record<string, string> = {}): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };
}

export function sendJson(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return sendText(JSON.stringify(value), status, headers);
}

/** Creates the adapter of the loopback protocol, which checks the shape of every reply. */
export function loopbackAdapter(url: string, id = ID): MarketProvider {
  return {
    id,
    requestsPerMinute: 600,
    ...STOCKS,
    frequencies: ['1D'],
    async fetchPage(query, token, http) {
      const search = new URLSearchParams({ symbol: query.symbol });
      if (token !== null) search.set('page_token', token);
      return http.getJson(`${url}/bars?${search}`, { accept: (reply) => readPage(reply, id) });
    },
  };
}

function readPage(reply: unknown, id: string): BarPage {
  if (!isRecord(reply)) throw new ProviderError(id, 'MALFORMED');
  const { bars, next_page_token: older } = reply;
  if (!Array.isArray(bars) || !bars.every(isRecord)) throw new ProviderError(id, 'MALFORMED');
  if (older !== null && (typeof older !== 'string' || older === '')) throw new ProviderError(id, 'MALFORMED');
  return { bars: bars.map(readBar), olderToken: older };
}

function readBar({ t, o, h, l, c, v }: Record<string, unknown>): RawBar {
  return { timestamp: readInstant(t), open: o, high: h, low: l, close: c, volume: v };
}

/** Returns NaN for anything but an existing date: Date.parse reads February 30 as March 1, which would move the row. */
function readInstant(text: unknown): number {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return Number.NaN;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return Number.NaN;
  return new Date(instant).toISOString() === text.replace('Z', '.000Z') ? instant : Number.NaN;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
