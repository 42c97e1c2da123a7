import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Foundation } from '../../compose/index.ts';
import { Fault } from '../../contract/index.ts';
import { runAdminOperation } from '../operations/index.ts';
import { readSocketRecord, removeSocketRecord, writeSocketRecord } from './socket-record.ts';

export type ControlReply = { result: object } | { error: { code: string; message: string } };

/**
 * Lets the command line make changes through this process, which alone may open the embedded database.
 * One JSON line in, one JSON line out. Whoever may open the socket (its owner) may do what the command line may.
 * To be called by the holder of the data folder's lock only.
 */
export async function openControlSocket(foundation: Foundation): Promise<{ close(): Promise<void> }> {
  const { dataFolder } = foundation.config;
  await removeLeftover(dataFolder);
  // The folder is its owner's alone, so the socket in it is.
  const folder = await mkdtemp(join(tmpdir(), 'almanac-'));
  const path = join(folder, 'control.sock');
  const waiting = new Set<Socket>();
  const server = createServer((socket) => serve(socket, foundation, waiting));
  const close = async (): Promise<void> => {
    await removeSocketRecord(dataFolder);
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of waiting) socket.destroy();
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listen(server, path);
    await writeSocketRecord(dataFolder, path);
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/** What a service that was killed left in the folder for temporary files. */
async function removeLeftover(dataFolder: string): Promise<void> {
  const record = await readSocketRecord(dataFolder);
  const folder = record && dirname(record.socket);
  if (folder?.startsWith(join(tmpdir(), 'almanac-'))) await rm(folder, { recursive: true, force: true });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(path, resolve));
}

/**
 * Answers the first line of a connection. `waiting` holds those that have not sent it yet: a stop does not wait for
 * them. Not by node:readline, which turns a broken connection into an error that ends the process.
 */
function serve(socket: Socket, foundation: Foundation, waiting: Set<Socket>): void {
  waiting.add(socket);
  socket.on('error', () => socket.destroy()).on('close', () => waiting.delete(socket));
  let received = '';
  socket.setEncoding('utf8').on('data', async (chunk) => {
    received += chunk;
    if (!received.includes('\n') || !waiting.delete(socket)) return;
    socket.end(`${JSON.stringify(await answer(received, foundation))}\n`);
  });
}

async function answer(line: string, foundation: Foundation): Promise<ControlReply> {
  try {
    const { operation, input } = JSON.parse(line) as { operation: string; input: unknown };
    return { result: await runAdminOperation(foundation, operation, input) };
  } catch (error) {
    if (error instanceof Fault) return { error: { code: error.code, message: error.message } };
    foundation.log.error({ err: error }, 'command line operation');
    return { error: { code: 'INTERNAL', message: 'The running service failed; its log has the details.' } };
  }
}
