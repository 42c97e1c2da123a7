import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../src/platform/index.ts';
import { handleVbaseRequest, type VbaseReply } from './vbase-api.ts';

/** What goes wrong with a request. Faults that begin with `accepted` concern requests that the server has carried out. */
export type VbaseFailure =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly text?: string }
  | 'reset'
  | 'silent'
  | 'html'
  | 'accepted_late'
  | 'accepted_silent'
  | 'accepted_reset'
  | 'accepted_truncated'
  | 'accepted_500'
  | 'accepted_wrong_object'
  | 'accepted_wrong_set';

/** A stamp on the chain of the server. */
export interface ServerStamp {
  readonly objectCid: string;
  readonly setCid: string;
  readonly transactionHash: string;
  /** The time of its block, in milliseconds. */
  readonly at: number;
}

export interface VbaseServer extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  /** All stamps, in order. Two for one content id are a duplicate. */
  readonly stamps: ServerStamp[];
  readonly collections: { readonly name: string; readonly cid: string; readonly description: string }[];
  /** The method and path of every request. */
  readonly requests: string[];
  /** The problems of requests that do not follow the published API. */
  readonly violations: string[];
  /** Chooses what goes wrong with a request. */
  fail: (request: string) => VbaseFailure | null;
  /** How long a new stamp cannot be found. */
  indexDelayMs: number;
  /** Whether requests for a stamp that exists already return it. */
  isIdempotent: boolean;
  formatTime: (at: number) => string;
  timezone: string;
  /** What replies have as the address of the account. */
  userAddress: string;
  /** Waits until the server has handled all requests that were sent to it, including those of clients that have died. */
  whenIdle(): Promise<void>;
  /** What stamps that are looked up have in place of the address; null for the address. */
  accountName: string | null;
}

/** A path that is not part of the API. */
const PROBE = '/probe';

export const VBASE_ADDRESS = '0x4A281DdC750359d5C0D2D51A890cefA43485EF2d';
export const VBASE_CHAIN_ID = 8453;

export const sha3 = (text: string) => `0x${createHash('sha3-256').update(text, 'utf8').digest('hex')}`;

/** Starts a server on this machine that follows the published API of vBase, with stamps in memory. */
export async function startVbaseServer(clock: Clock): Promise<VbaseServer> {
  let unfinished = 0;
  const http = createServer((request, response) => {
    unfinished++;
    response.once('close', () => unfinished--);
    if (request.url === PROBE) return void response.end();
    reply(server, clock, request, response).catch((error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server: VbaseServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    key: 'vb-key-SECRET',
    stamps: [],
    collections: [],
    requests: [],
    violations: [],
    fail: () => null,
    indexDelayMs: 0,
    isIdempotent: true,
    formatTime: (at) => new Date(at).toISOString().replace('T', ' ').replace('.000Z', '+00:00'),
    timezone: 'UTC',
    userAddress: VBASE_ADDRESS,
    accountName: null,
    async whenIdle() {
      // Connections are accepted in order, so those that were opened before the probe are open when it is answered.
      const [answer] = (await once(get(`${server.url}${PROBE}`, { agent: false }), 'response')) as [IncomingMessage];
      await buffer(answer);
      do await nextTurn();
      while (unfinished > 0);
    },
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}

async function reply(
  server: VbaseServer,
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').replace(/^\/api\/v1/, '');
  const name = `${request.method} ${path}`;
  const body = await buffer(request);
  server.requests.push(name);
  const failure = server.fail(name);
  const handle = () => {
    const result = handleVbaseRequest(server, clock.now().getTime(), { name, headers: request.headers, body });
    if (result.status === 400) server.violations.push(`${name}: ${JSON.stringify(result.body)}`);
    return result;
  };
  if (failure === null) return sendJson(response, handle());
  if (typeof failure === 'object') {
    const { status, headers = {}, text = JSON.stringify({ error: 'refused', details: 'by the test' }) } = failure;
    return void response.writeHead(status, headers).end(text);
  }
  if (failure === 'silent') return;
  if (failure === 'reset') return void request.socket.destroy();
  if (failure === 'html') return void response.writeHead(200).end('<html>Please sign in</html>');
  if (failure === 'accepted_late') return void request.socket.once('close', handle);
  const result = handle();
  if (failure === 'accepted_silent') return;
  if (failure === 'accepted_reset') return void request.socket.destroy();
  if (failure === 'accepted_500') return sendJson(response, { status: 500, body: { error: 'Internal server error' } });
  if (failure === 'accepted_truncated') {
    const text = JSON.stringify(result.body);
    response.writeHead(result.status, { 'content-length': text.length });
    return void response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
  }
  sendJson(response, alterReceipt(result, failure === 'accepted_wrong_object' ? 'object_cid' : 'set_cid'));
}

function sendJson(response: ServerResponse, { status, body }: VbaseReply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function alterReceipt({ status, body }: VbaseReply, field: string): VbaseReply {
  const { commitment_receipt: receipt } = body as { commitment_receipt?: object };
  return { status, body: { commitment_receipt: { ...receipt, [field]: sha3('something else') } } };
}
