import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BarPage, MarketProvider, RawBar } from '../../../src/market/providers/provider.ts';
import { ProviderError } from '../../../src/market/providers/provider-error.ts';

/** A bar as the loopback provider writes it. */
export interface WireBar {
  readonly t: string;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v: number;
}

/** Answers one request, well or badly. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface LoopbackProvider extends AsyncDisposable {
  readonly url: string;
  readonly adapter: MarketProvider;
  /** Replies to the next requests, one each; after these every request gets an honest page. */
  readonly script: Reply[];
  /** The paths that were asked, in order. */
  readonly asked: string[];
}

export interface LoopbackOptions {
  /** Oldest first. */
  readonly bars: readonly WireBar[];
  readonly pageSize: number;
}

const SYMBOL = 'KNOWN';
const ID = 'loopback';

/** A provider over real HTTP on this machine: paged JSON, the latest bars first, and the faults it is told to show. */
export async function startLoopbackProvider({ bars, pageSize }: LoopbackOptions): Promise<LoopbackProvider> {
  const script: Reply[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://loopback');
    asked.push(`${address.pathname}${address.search}`);
    const scripted = script.shift();
    if (scripted !== undefined) scripted(request, response);
    else if (address.searchParams.get('symbol') !== SYMBOL) sendJson({ message: 'not found' }, 404)(request, response);
    else sendText(honestPage(bars, pageSize, address.searchParams.get('page_token')))(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    adapter: loopbackAdapter(url),
    script,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The text of the page that a token names: the bars before it, the latest first. */
export function honestPage(bars: readonly WireBar[], pageSize: number, token: string | null): string {
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

/** Speaks the loopback protocol. Like every adapter it believes the shape of a reply only after looking at it. */
export function loopbackAdapter(url: string, id = ID): MarketProvider {
  return {
    id,
    requestsPerMinute: 600,
    frequencies: ['1D'],
    kind: 'exchange',
    refuses: ({ frequency }) => (frequency === '1D' ? null : 'It has daily bars only.'),
    async fetchPage(query, token, http) {
      const search = new URLSearchParams({ symbol: query.symbol });
      if (token !== null) search.set('page_token', token);
      return readPage(await http.getJson(`${url}/bars?${search}`), id);
    },
    describe: async () => null,
  };
}

function readPage(reply: unknown, id: string): BarPage {
  if (!isRecord(reply)) throw new ProviderError(id, 'MALFORMED');
  const { bars, next_page_token: older } = reply;
  if (!Array.isArray(bars) || !bars.every(isRecord)) throw new ProviderError(id, 'MALFORMED');
  if (older !== null && (typeof older !== 'string' || older === '')) throw new ProviderError(id, 'MALFORMED');
  return { bars: bars.map(readBar), older };
}

function readBar({ t, o, h, l, c, v }: Record<string, unknown>): RawBar {
  return { timestamp: readInstant(t), open: o, high: h, low: l, close: c, volume: v };
}

/** NaN for anything but a date that exists: Date.parse takes 30 February for 1 March, which would move the row. */
function readInstant(text: unknown): number {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return Number.NaN;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return Number.NaN;
  return new Date(instant).toISOString() === text.replace('Z', '.000Z') ? instant : Number.NaN;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
