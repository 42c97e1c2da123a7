import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ERROR_CATALOGUE, type ErrorCode, Fault } from '../../contract/index.ts';
import type { ControlReply } from './server.ts';
import { readSocketPath } from './socket-record.ts';

/** Runs an operation in the service that holds the data folder. Null when no service answers there. */
export async function askRunningService(dataFolder: string, operation: string, input: object): Promise<object | null> {
  const path = await readSocketPath(dataFolder);
  if (path === null) return null;
  const socket = connect(path);
  try {
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  } catch {
    // The record outlived its service (kill -9).
    return null;
  }
  socket.write(`${JSON.stringify({ operation, input })}\n`);
  const line = await text(socket);
  if (line === '')
    throw new Error('The running service stopped before it answered. Check whether the change was made.');
  const reply = JSON.parse(line) as ControlReply;
  if ('result' in reply) return reply.result;
  const code = reply.error.code in ERROR_CATALOGUE ? (reply.error.code as ErrorCode) : 'INTERNAL';
  throw new Fault(code, reply.error.message);
}
