import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A response over a real socket. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Several chunks are sent with chunked encoding. */
  readonly body?: string | Buffer | readonly Buffer[];
  readonly timeoutMs?: number;
}

/** Listens on a free loopback port. @returns the port */
export async function listenOnLoopback(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The service does not listen on a port.');
  return address.port;
}

/** Sends one request with Node's client. Rejects when no complete response arrives in time. */
export function send(port: number, sending: HttpRequest): Promise<HttpResponse> {
  const { method = 'GET', path, headers = {}, body, timeoutMs = 30_000 } = sending;
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
    let answered = false;
    outgoing.on('response', (response) => {
      answered = true;
      readAll(response)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
    // An error response can arrive and the connection close while the request is still being sent.
    outgoing.on('error', (error) => {
      if (answered) return;
      clearTimeout(timer);
      reject(error);
    });
    for (const chunk of Array.isArray(body) ? body : []) outgoing.write(chunk);
    outgoing.end(Array.isArray(body) ? undefined : body);
  });
}

async function readAll(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

/**
 * Writes raw bytes and returns everything that arrives until the service closes the connection.
 *
 * @param options.end closes the client's side after writing; otherwise the service has to close first
 */
export function sendBytes(
  port: number,
  bytes: string | Buffer,
  options: { end?: boolean; timeoutMs?: number } = {},
): Promise<string> {
  const { end = false, timeoutMs = 30_000 } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection was still open after ${timeoutMs} ms`));
    }, timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', settle);
    // A reset of the connection also ends the response; the caller checks what arrived before.
    socket.on('error', settle);
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    if (end) socket.end();
  });
}
