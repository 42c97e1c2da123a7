import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Fault } from '../contract/index.ts';
import { reportedFault, serviceSilent } from './faults.ts';

/**
 * The socket through which the command line has a running service execute its commands: only that process can open the
 * embedded database. One line of JSON in, one line of JSON out.
 */

/**
 * The address of the socket, as a file in the data folder records it. The socket itself is elsewhere, because its path
 * can have at most 107 characters.
 */
interface SocketRecord {
  readonly socket: string;
  readonly pid: number;
}

type ControlReply = { result: object } | { error: { code: string; message: string } };

const RECORD_FILE = 'control.json';

/** Longer than any operation takes. Without a limit, a suspended service would keep the command waiting forever. */
const REPLY_TIMEOUT_MS = 30_000;

/** Returns the process that serves the data folder and accepts connections, or null. */
export async function findRunningService(dataFolder: string): Promise<{ pid: number } | null> {
  const service = await connectToService(dataFolder);
  service?.socket.destroy();
  return service && { pid: service.pid };
}

/** Executes a command in the service that holds the data folder. Returns null when no service accepts connections. */
export async function callRunningService(dataFolder: string, operation: string, input: object): Promise<object | null> {
  const service = await connectToService(dataFolder);
  if (!service) return null;
  const reply = await sendLine(service.socket, `${JSON.stringify({ operation, input })}\n`);
  if ('result' in reply) return reply.result;
  throw reportedFault(reply.error.code, reply.error.message);
}

async function connectToService(dataFolder: string): Promise<{ socket: Socket; pid: number } | null> {
  const record = await readRecord(dataFolder);
  if (record === null) return null;
  const socket = connect(record.socket);
  try {
    await once(socket, 'connect');
    return { socket, pid: record.pid };
  } catch {
    // A service that was killed leaves its record behind.
    return null;
  }
}

async function sendLine(socket: Socket, line: string): Promise<ControlReply> {
  socket.setTimeout(REPLY_TIMEOUT_MS, () => socket.destroy(new Error('no reply in time')));
  socket.write(line);
  const reply = await text(socket).catch(() => '');
  if (reply !== '') return JSON.parse(reply) as ControlReply;
  throw serviceSilent();
}

export interface ControlSocketOptions {
  readonly dataFolder: string;
  execute(operation: string, input: unknown): Promise<object>;
  /** Receives the errors that are not faults; the command line gets a general message. */
  onError(error: unknown): void;
}

/**
 * Opens the socket. Every user who may open it, which is the owner of the data folder alone, may do what the command
 * line may. The caller must hold the lock of the data folder.
 */
export async function openControlSocket(options: ControlSocketOptions): Promise<{ close(): Promise<void> }> {
  const { dataFolder } = options;
  await removeLeftover(dataFolder);
  // Only its owner can enter the folder, and so reach the socket.
  const folder = await mkdtemp(join(tmpdir(), 'almanac-'));
  const path = join(folder, 'control.sock');
  const waiting = new Set<Socket>();
  const server = createServer((socket) => serveConnection(socket, options, waiting));
  const close = async (): Promise<void> => {
    await rm(join(dataFolder, RECORD_FILE), { force: true });
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of waiting) socket.destroy();
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listen(server, path);
    await writeRecord(dataFolder, { socket: path, pid: process.pid });
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/** Removes the folder that a killed service left among the temporary files. */
async function removeLeftover(dataFolder: string): Promise<void> {
  const record = await readRecord(dataFolder);
  const folder = record && dirname(record.socket);
  if (folder?.startsWith(join(tmpdir(), 'almanac-'))) await rm(folder, { recursive: true, force: true });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(path, resolve));
}

/**
 * Replies to the first line of a connection. `waiting` holds the connections that have not sent it yet, which a stop
 * cuts. node:readline is not used: it turns a broken connection into an error that ends the process.
 */
function serveConnection(socket: Socket, options: ControlSocketOptions, waiting: Set<Socket>): void {
  waiting.add(socket);
  socket.on('error', () => socket.destroy()).on('close', () => waiting.delete(socket));
  let received = '';
  socket.setEncoding('utf8').on('data', async (chunk) => {
    received += chunk;
    if (!received.includes('\n') || !waiting.delete(socket)) return;
    socket.end(`${JSON.stringify(await replyTo(received, options))}\n`);
  });
}

async function replyTo(line: string, { execute, onError }: ControlSocketOptions): Promise<ControlReply> {
  try {
    const { operation, input } = JSON.parse(line) as { operation: string; input: unknown };
    return { result: await execute(operation, input) };
  } catch (error) {
    if (error instanceof Fault) return { error: { code: error.code, message: error.message } };
    onError(error);
    return { error: { code: 'INTERNAL', message: 'The running service failed. Its log has the details.' } };
  }
}

/** Writes a draft and renames it, so that a reader finds a whole record or none. */
async function writeRecord(dataFolder: string, record: SocketRecord): Promise<void> {
  const draft = join(dataFolder, `${RECORD_FILE}.${process.pid}`);
  await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
  await rename(draft, join(dataFolder, RECORD_FILE));
}

/** Returns null without a record, and for one whose socket belongs to another user, who may have replaced it. */
async function readRecord(dataFolder: string): Promise<SocketRecord | null> {
  try {
    const file = join(dataFolder, RECORD_FILE);
    const record = JSON.parse(await readFile(file, 'utf8')) as SocketRecord;
    const [owner, socketOwner] = await Promise.all([stat(file), stat(record.socket)]);
    return owner.uid === socketOwner.uid ? record : null;
  } catch {
    // The record is absent or unreadable, or its service ended together with its temporary files.
    return null;
  }
}
