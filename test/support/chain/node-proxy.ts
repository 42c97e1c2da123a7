import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Loopback, startLoopback } from '../platform/loopback.ts';

/** A call of a node, and what the node would reply. */
export interface ProxiedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Calls the node. Returns the whole reply. */
  forward(): Promise<{ result?: unknown; error?: { code: number; message: string } }>;
}

/** What the client gets: fields of a JSON-RPC reply, or a connection that breaks. */
export type ProxiedReply = { readonly result?: unknown; readonly error?: unknown } | 'broken';

/** Starts a server in front of a node that can change its replies or lose them. */
export function startNodeProxy(
  url: string,
  reply: (call: ProxiedCall) => Promise<ProxiedReply> | ProxiedReply,
): Promise<Loopback> {
  return startLoopback((request, response) => void pass(url, reply, request, response));
}

async function pass(
  url: string,
  reply: (call: ProxiedCall) => Promise<ProxiedReply> | ProxiedReply,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
  const headers = { 'content-type': 'application/json' };
  const forward = async () =>
    (await fetch(url, { method: 'POST', headers, body })).json() as Promise<{ result: unknown }>;
  const given = await reply({ method, params, forward });
  if (given === 'broken') response.destroy();
  else response.writeHead(200, headers).end(JSON.stringify({ ...given, jsonrpc: '2.0', id }));
}
