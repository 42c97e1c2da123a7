import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../contract/index.ts';
import { errorBody } from './envelope.ts';

const REASONS: Record<string, { status: string; code: ErrorCode; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'INVALID_REQUEST',
    message: 'The request headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'INVALID_REQUEST',
    message: 'The request did not arrive in time.',
  },
};

const UNREADABLE = {
  status: '400 Bad Request',
  code: 'INVALID_REQUEST',
  message: 'This is not a valid HTTP request.',
} as const;

/** Answers what Node's parser could not make a request of. There is no path, hence the general envelope. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = REASONS[error.code ?? ''] ?? UNREADABLE;
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody('', code, message, requestId));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}
