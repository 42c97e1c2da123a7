import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../platform/index.ts';
import { errorBody } from './envelope.ts';
import { requestIdOf } from './request-id.ts';
import { saySeconds } from './say-seconds.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

// As in the error boundary: importing the module would load much that nobody here uses.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** A client that does not close its side after our answer would hold the connection, and our stop, for ever. */
const LINGER_MS = 1_000;

interface Reason {
  readonly status: number;
  readonly message: string;
}

const UNREADABLE: Reason = { status: 400, message: 'This is not a valid HTTP request.' };

/**
 * Answers what Node's parser could not make a request of.
 *
 * @param headMs how long the head of a request may take
 */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { log, headMs }: { readonly log: Log; readonly headMs: number },
): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const reasons: Readonly<Record<string, Reason>> = {
    HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
    ERR_HTTP_REQUEST_TIMEOUT: {
      status: 408,
      message: `The head of the request did not arrive within ${saySeconds(headMs)}.`,
    },
  };
  answerBySocket(reasons[error.code ?? ''] ?? UNREADABLE, socket, log);
}

/** Answers past the framework, and closes the connection. @param request left out: there is none, hence no path either */
export function answerBySocket({ status, message }: Reason, socket: Socket, log: Log, request?: IncomingMessage): void {
  if (!socket.writable || isMidAnswer(socket)) {
    socket.destroy();
    return;
  }
  const requestId = request ? requestIdOf(request) : randomUUID();
  log.info({ request_id: requestId, status, reason: message }, 'unreadable request');
  const body = JSON.stringify(errorBody(request?.url ?? '', 'INVALID_REQUEST', message, requestId));
  const headers = {
    ...SECURITY_HEADERS,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  socket.setTimeout(LINGER_MS, () => socket.destroy());
}

/** A second head in the middle of an answer would be taken for a part of it. Node's own handler asks the same. */
function isMidAnswer(socket: Socket & { _httpMessage?: ServerResponse }): boolean {
  return socket._httpMessage?.headersSent === true;
}
