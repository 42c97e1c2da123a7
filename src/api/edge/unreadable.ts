import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Fault } from '../../contract/index.ts';
import type { Log } from '../../platform/index.ts';
import { errorBody, errorHead } from './error-response.ts';
import { headersTooLarge, headTimedOut, invalidHttp } from './faults.ts';
import { requestIdOf } from './log-requests.ts';
import { SECURITY_HEADERS } from './response-headers.ts';

// Importing the module would also load a web client, which is not used here.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/**
 * After this time the connection is closed. Otherwise a client that keeps it open could keep the service from stopping.
 */
const LINGER_MS = 1_000;

/**
 * Responds to bytes that Node's parser could not read as a request.
 *
 * @param headMs how long the head of a request may take to arrive
 */
export function answerUnreadableRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { log, headMs }: { readonly log: Log; readonly headMs: number },
): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else sendErrorToSocket(faultFor(error.code, headMs), socket, log);
}

function faultFor(code: string | undefined, headMs: number): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? headTimedOut(headMs) : invalidHttp();
}

/**
 * Sends an error without the framework and closes the connection.
 *
 * @param request omitted if the bytes could not be read as a request
 */
export function sendErrorToSocket(fault: Fault, socket: Socket, log: Log, request?: IncomingMessage): void {
  if (!socket.writable || hasStartedResponse(socket)) {
    socket.destroy();
    return;
  }
  const requestId = request ? requestIdOf(request) : randomUUID();
  const head = errorHead(fault, { requestId, operation: 'unknown' });
  log.info({ request_id: requestId, status: head.status, reason: fault.message }, 'unreadable request');
  const body = JSON.stringify(errorBody(request?.url ?? '', fault, requestId));
  const headers = {
    ...SECURITY_HEADERS,
    ...head.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${head.status} ${STATUS_CODES[head.status]}\r\n${lines.join('')}\r\n${body}`);
  socket.setTimeout(LINGER_MS, () => socket.destroy());
}

/**
 * Returns whether a response has already been started. A second response would be read as part of its body.
 */
function hasStartedResponse(socket: Socket & { _httpMessage?: ServerResponse }): boolean {
  return socket._httpMessage?.headersSent === true;
}
