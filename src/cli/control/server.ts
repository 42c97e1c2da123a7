import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Foundation } from '../../compose.ts';
import { Fault } from '../../contract/index.ts';
import { runAdminOperation } from '../operations/index.ts';
import { removeSocketPath, writeSocketPath } from './socket-record.ts';

export type ControlReply = { result: object } | { error: { code: string; message: string } };

/**
 * Lets the command line make changes through this process, which alone may open the embedded database.
 * One JSON line in, one JSON line out. Whoever may open the socket (its owner) may do what the command line may.
 */
export async function openControlSocket(foundation: Foundation): Promise<{ close(): Promise<void> }> {
  const { dataFolder } = foundation.config;
  const folder = await mkdtemp(join(tmpdir(), 'almanac-'));
  await chmod(folder, 0o700);
  const path = join(folder, 'control.sock');
  const server = createServer((socket) => serve(socket, foundation));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  await writeSocketPath(dataFolder, path);
  return {
    async close() {
      await removeSocketPath(dataFolder);
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function serve(socket: Socket, foundation: Foundation): void {
  socket.on('error', () => socket.destroy());
  createInterface({ input: socket }).once('line', async (line) => {
    socket.end(`${JSON.stringify(await answer(line, foundation))}\n`);
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
