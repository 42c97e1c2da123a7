import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// The HTTP part of the servers that speak a provider's protocol. They listen on this machine only.

/** A request as a server received it. */
export interface WireRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
}

/** The correct reply to a request. */
export interface WireReply {
  readonly status: number;
  /** A `WireText` is sent unchanged, and anything else as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body of a reply that is not JSON, such as CSV or XML. */
export class WireText {
  readonly text: string;
  readonly contentType: string;

  constructor(text: string, contentType: string) {
    this.text = text;
    this.contentType = contentType;
  }
}

/** Replaces the reply to one request. `answer` sends the correct reply, now or later. */
export type Reply = (request: IncomingMessage, response: ServerResponse, answer: () => void) => void;

export interface WireServer extends AsyncDisposable {
  readonly url: string;
  /** Replaces the replies to the next requests, one each; further requests get the correct reply. */
  readonly script: Reply[];
  /** Every request, in order. */
  readonly requests: WireRequest[];
}

/** Starts a server that answers every request. */
export async function startWireServer(answer: (request: WireRequest) => WireReply): Promise<WireServer> {
  const script: Reply[] = [];
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
    const received: WireRequest = {
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
    };
    requests.push(received);
    const sendAnswer = () => {
      const { status, body, headers } = answer(received);
      const send =
        body instanceof WireText
          ? sendText(body.text, status, { 'content-type': body.contentType, ...headers })
          : sendJson(body, status, headers);
      send(request, response, sendAnswer);
    };
    const scripted = script.shift();
    if (scripted === undefined) sendAnswer();
    else scripted(request, response, sendAnswer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function sendText(text: string | Uint8Array, status = 200, headers: Record<string, string> = {}): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };
}

export function sendJson(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return sendText(JSON.stringify(value), status, headers);
}

/** Sends the correct reply. */
export const sendAnswer: Reply = (_request, _response, answer) => answer();

export const sendHtml = sendText('<!doctype html><title>Please wait</title>', 200, { 'content-type': 'text/html' });

/** Closes the connection within the body. */
export const cutBody: Reply = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"bars":[{"t":', () => response.destroy());
};

/** Begins a reply and never ends it. */
export const stallBody: Reply = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{');
};

/** Sends a body without an end, as fast as it is read. */
export const endlessBody: Reply = (_request, response) => {
  const chunk = ' '.repeat(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.on('drain', more);
  more();
};
