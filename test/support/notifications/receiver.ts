import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the receiver of a webhook got. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How the receiver replies. */
export type ReceiverReply = (response: ServerResponse, request: ReceivedRequest) => void;

export interface Receiver extends AsyncDisposable {
  /** The URL without a path. */
  readonly origin: string;
  readonly requests: ReceivedRequest[];
  /** A test may replace it. */
  reply: ReceiverReply;
}

export const accept: ReceiverReply = (response) => void response.writeHead(204).end();

export const replyWith =
  (status: number, body = '', headers: Record<string, string> = {}): ReceiverReply =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Starts the program behind the URL of a webhook, on this machine. */
export async function startReceiver(reply: ReceiverReply = accept): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const received = { path: request.url ?? '', headers: request.headers, body };
    requests.push(received);
    receiver.reply(response, received);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
