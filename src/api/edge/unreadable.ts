import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../platform/index.ts';
import { errorBody } from './envelope.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** A client that does not close its side after our answer would hold the connection, and our stop, for ever. */
const LINGER_MS = 1_000;

const REASONS: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The request headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request did not arrive in time.' },
};

const UNREADABLE = { status: '400 Bad Request', message: 'This is not a valid HTTP request.' };

/** Answers what Node's parser could not make a request of. There is no path, hence the general envelope. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, log: Log): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isMidAnswer(socket)) {
    socket.destroy();
    return;
  }
  const { status, message } = REASONS[error.code ?? ''] ?? UNREADABLE;
  const requestId = randomUUID();
  log.info({ request_id: requestId, status: Number.parseInt(status, 10), reason: error.code }, 'unreadable request');
  const body = JSON.stringify(errorBody('', 'INVALID_REQUEST', message, requestId));
  const headers = {
    ...SECURITY_HEADERS,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`);
  socket.setTimeout(LINGER_MS, () => socket.destroy());
}

/** A second head in the middle of an answer would be taken for a part of it. Node's own handler asks the same. */
function isMidAnswer(socket: Socket & { _httpMessage?: ServerResponse }): boolean {
  return socket._httpMessage?.headersSent === true;
}
