import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { ERROR_CATALOGUE, type ErrorCode, Fault } from '../../contract/index.ts';
import type { ControlReply } from './server.ts';
import { readSocketRecord } from './socket-record.ts';

/** Longer than any operation takes. A service that was suspended would let the command wait for ever. */
const ANSWER_MS = 30_000;

/** The process that serves the data folder and can be talked to, or null. */
export async function runningService(dataFolder: string): Promise<{ pid: number } | null> {
  const service = await reach(dataFolder);
  service?.socket.destroy();
  return service && { pid: service.pid };
}

/** Runs an operation in the service that holds the data folder. Null when no service answers there. */
export async function askRunningService(dataFolder: string, operation: string, input: object): Promise<object | null> {
  const service = await reach(dataFolder);
  if (!service) return null;
  const reply = await ask(service.socket, `${JSON.stringify({ operation, input })}\n`);
  if ('result' in reply) return reply.result;
  const code = reply.error.code in ERROR_CATALOGUE ? (reply.error.code as ErrorCode) : 'INTERNAL';
  throw new Fault(code, reply.error.message);
}

async function reach(dataFolder: string): Promise<{ socket: Socket; pid: number } | null> {
  const record = await readSocketRecord(dataFolder);
  if (record === null) return null;
  const socket = connect(record.socket);
  try {
    await once(socket, 'connect');
    return { socket, pid: record.pid };
  } catch {
    // The record outlived its service (kill -9).
    return null;
  }
}

async function ask(socket: Socket, line: string): Promise<ControlReply> {
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer in time')));
  socket.write(line);
  const answer = await text(socket).catch(() => '');
  if (answer !== '') return JSON.parse(answer) as ControlReply;
  throw new Fault('UNAVAILABLE', 'The running service gave no answer. Check whether the change was made.');
}
