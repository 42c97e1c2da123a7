// Runs the queries that the service sends, one at a time. A file that crashes DuckDB ends only this process. It imports
// little, so that it starts quickly.

import { rmSync, writeFileSync } from 'node:fs';
import type { ChildCommand, ChildReply } from './child-messages.ts';
import { openInstance, runSelect } from './run-select.ts';

/** The service starts this process in the folder for its temporary files, which contains nothing else. */
const tempFolder = process.cwd();
const running = new Map<number, AbortController>();
/** The instance of the next query. Opening it takes as long as a small query, so it is opened before it is needed. */
let nextInstance = openNextInstance();

function send(reply: ChildReply): void {
  // The channel is closed if the service has ended, and then this process ends also.
  process.send?.(reply, undefined, undefined, () => undefined);
}

async function run({ id, query }: ChildCommand & { kind: 'run' }): Promise<void> {
  const interruption = new AbortController();
  running.set(id, interruption);
  let instance: Awaited<typeof nextInstance> | undefined;
  let hasRows = false;
  try {
    instance = await nextInstance;
    send({ kind: 'rows', id, rows: await runSelect(query, instance, interruption.signal) });
    hasRows = true;
  } catch (error) {
    instance?.closeSync();
    send({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
    if (hasRows) {
      // The service need not wait for it to use the rows.
      instance?.closeSync();
      send({ kind: 'idle', id });
    }
    nextInstance = openNextInstance();
  }
}

function openNextInstance(): ReturnType<typeof openInstance> {
  const opened = openInstance(tempFolder);
  // The next query gets the error.
  opened.catch(() => undefined);
  return opened;
}

/** Ends this process even if threads of DuckDB are running, which would delay or crash an orderly end. */
function endNow(): void {
  try {
    rmSync(tempFolder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

/** If the machine runs out of memory, the kernel ends this process and not the service. */
function volunteerForOutOfMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has it.
  }
}

volunteerForOutOfMemory();
process.on('disconnect', endNow);
// A terminal sends them to all processes, but the service decides when its queries end.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('message', (command: ChildCommand) => {
  if (command.kind === 'run') void run(command);
  else running.get(command.id)?.abort();
});
send({ kind: 'ready' });
// The service can have ended while this process started, before it could listen.
if (!process.connected) endNow();
