import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback extends AsyncDisposable {
  readonly url: string;
  readonly requests: IncomingMessage[];
  /** Replies to requests. A test may replace it. */
  reply: RequestListener;
}

/** Starts an HTTP server on this machine. */
export async function startLoopback(reply: RequestListener = fine): Promise<Loopback> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    loopback.reply(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const loopback: Loopback = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bars?key=SECRET-QUERY`,
    requests,
    reply,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return loopback;
}

export const fine: RequestListener = (_request, response) => void response.end('{"fine":true}');
export const send =
  (status: number, text: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(text);
