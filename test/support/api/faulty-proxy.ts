import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Loopback, startLoopback } from '../platform/loopback.ts';
import type { Random } from '../platform/seeded-random.ts';

/**
 * What a proxy does with a request. `lose_request`: nothing is sent. `lose_reply`: the service handles the request, but the
 * connection breaks. `truncate`: it breaks within the reply. `delay`: the reply is held until the client gives up. `repeat`:
 * the request is sent twice.
 */
export const PROXY_FAULTS = ['lose_request', 'lose_reply', 'truncate', 'delay', 'repeat'] as const;
export type ProxyFault = (typeof PROXY_FAULTS)[number];

export interface FaultyProxy extends AsyncDisposable {
  readonly url: string;
  /** How often each fault was applied. */
  readonly applied: Readonly<Record<ProxyFault, number>>;
}

/** Starts a proxy in front of a service on this machine that disturbs a share of the requests. */
export async function startFaultyProxy(port: number, random: Random, share: number): Promise<FaultyProxy> {
  const applied = Object.fromEntries(PROXY_FAULTS.map((fault) => [fault, 0])) as Record<ProxyFault, number>;
  const loopback: Loopback = await startLoopback((incoming, response) => {
    const fault = random() < share ? PROXY_FAULTS[Math.floor(random() * PROXY_FAULTS.length)] : undefined;
    if (fault !== undefined) applied[fault]++;
    // A client that gives up breaks the connection, which is what it is meant to do here.
    pass(port, incoming, response, fault).catch(() => response.destroy());
  });
  return {
    url: new URL(loopback.url).origin,
    applied,
    [Symbol.asyncDispose]: () => loopback[Symbol.asyncDispose](),
  };
}

async function pass(port: number, incoming: IncomingMessage, response: ServerResponse, fault?: ProxyFault) {
  const body = await buffer(incoming);
  if (fault === 'lose_request') {
    response.destroy();
    return;
  }
  const repeated = fault === 'repeat' ? forward(port, incoming, body) : null;
  const reply = await forward(port, incoming, body);
  response.on('close', () => reply.destroy());
  // Both requests are handled at the same time. Only one reply is passed on.
  repeated?.then(
    (other) => other.destroy(),
    () => {},
  );
  if (fault === 'lose_reply') {
    reply.destroy();
    response.destroy();
  } else if (fault !== 'delay') {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    await copy(reply, response, fault === 'truncate');
  }
}

/** Copies the body of a reply, or the first half of its first chunk before the connection breaks. */
async function copy(reply: IncomingMessage, response: ServerResponse, isTruncated: boolean): Promise<void> {
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    if (!isTruncated) {
      response.write(chunk);
      continue;
    }
    await new Promise((sent) => response.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), sent));
    response.destroy();
    return;
  }
  response.end();
}

function forward(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
    outgoing.on('response', resolve).on('error', reject).end(body);
  });
}
