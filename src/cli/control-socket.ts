import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Fault } from '../contract/index.ts';
import { reportedFault, serviceSilent } from './faults.ts';

/**
 * The socket through which the command line sends its commands to a running service, because only one process can open
 * the embedded database. The request and the reply are one line of JSON each.
 */

/**
 * The content of a file in the data folder that records the path of the socket. The socket itself is elsewhere, because
 * its path is limited to 107 characters.
 */
interface SocketRecord {
  readonly socket: string;
  readonly pid: number;
  /** The address of the API, for commands that use it as any client. Absent in records of earlier versions. */
  readonly url?: string | undefined;
}

type ControlReply = { result: object } | { error: { code: string; message: string } };

const RECORD_FILE = 'control.json';

/** How long a command waits for the reply. Without a limit, it would wait forever for a suspended service. */
const REPLY_TIMEOUT_MS = 30_000;

/** Returns the process id of the service that runs with the data folder, or null if no service accepts connections. */
export async function findRunningService(dataFolder: string): Promise<{ pid: number } | null> {
  const service = await connectToService(dataFolder);
  service?.socket.destroy();
  return service && { pid: service.pid };
}

/** Returns the address of the API of the service that runs with the data folder; null if none runs. */
export async function findServiceAddress(dataFolder: string): Promise<string | null> {
  const running = await findRunningService(dataFolder);
  return running === null ? null : ((await readRecord(dataFolder))?.url ?? null);
}

/** Executes a command in the service that runs with the data folder. Returns null if no service accepts connections. */
export async function callRunningService(
  dataFolder: string,
  operation: string,
  input: object,
  timeoutMs: number = REPLY_TIMEOUT_MS,
): Promise<object | null> {
  const service = await connectToService(dataFolder);
  if (!service) return null;
  const reply = await sendLine(service.socket, `${JSON.stringify({ operation, input })}\n`, timeoutMs);
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
    // The record was left behind by a service that was killed.
    return null;
  }
}

async function sendLine(socket: Socket, line: string, timeoutMs: number): Promise<ControlReply> {
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no reply in time')));
  socket.write(line);
  const reply = await text(socket).catch(() => '');
  if (reply !== '') return JSON.parse(reply) as ControlReply;
  throw serviceSilent();
}

export interface ControlSocketOptions {
  readonly dataFolder: string;
  /** The address of the API, which the data folder records. */
  readonly url?: string | undefined;
  execute(operation: string, input: unknown): Promise<object>;
  /** Receives errors that are not faults. The command line gets only a general message. */
  onError(error: unknown): void;
}

/**
 * Opens the socket. Any client that can connect to it can execute any command, so only the owner of the process can
 * connect. The caller must hold the lock on the data folder.
 */
export async function openControlSocket(options: ControlSocketOptions): Promise<{ close(): Promise<void> }> {
  const { dataFolder } = options;
  await removeLeftover(dataFolder);
  // Only the owner of the folder can open it, and therefore connect to the socket.
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
    await writeRecord(dataFolder, { socket: path, pid: process.pid, url: options.url });
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/** Removes the temporary folder of a service that was killed. */
async function removeLeftover(dataFolder: string): Promise<void> {
  const record = await readRecord(dataFolder);
  const folder = record && dirname(record.socket);
  if (folder?.startsWith(join(tmpdir(), 'almanac-'))) await rm(folder, { recursive: true, force: true });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(path, resolve));
}

/**
 * Replies to the first line of a connection. `waiting` contains the connections that have not sent a line yet; they are
 * closed when the service stops. node:readline is not used, because with it a broken connection would end the process.
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

/** Writes the record to another file and renames it, so that a reader finds a complete record or none. */
async function writeRecord(dataFolder: string, record: SocketRecord): Promise<void> {
  const draft = join(dataFolder, `${RECORD_FILE}.${process.pid}`);
  await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
  await rename(draft, join(dataFolder, RECORD_FILE));
}

/** Returns the record. Returns null if there is none, or if its socket belongs to another user and may be forged. */
async function readRecord(dataFolder: string): Promise<SocketRecord | null> {
  try {
    const file = join(dataFolder, RECORD_FILE);
    const record = JSON.parse(await readFile(file, 'utf8')) as SocketRecord;
    const [owner, socketOwner] = await Promise.all([stat(file), stat(record.socket)]);
    return owner.uid === socketOwner.uid ? record : null;
  } catch {
    // The record is missing or unreadable, or its socket no longer exists.
    return null;
  }
}
