import { parentPort } from 'node:worker_threads';
import { type ThreadCommand, type ThreadReply, toFailure } from './thread-messages.ts';

/** The output of a call with the buffers that move to the other thread instead of being copied. */
export class Moved<Output> {
  readonly output: Output;
  readonly buffers: readonly ArrayBuffer[];

  constructor(output: Output, buffers: readonly ArrayBuffer[]) {
    this.output = output;
    this.buffers = buffers;
  }
}

/** Answers the calls of one session. */
export type Session<Input, Output> = (input: Input) => Output | Moved<Output>;

/**
 * Serves the sessions of a `ThreadPool` in this thread.
 *
 * @param open starts a session, which keeps its state in the function that it returns
 */
export function serveSessions<Options, Input, Output>(open: (options: Options) => Session<Input, Output>): void {
  const port = parentPort;
  if (port === null) throw new Error('This file runs only as a thread.');
  const sessions = new Map<number, Session<Input, Output>>();
  const reply = (message: ThreadReply, buffers: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...buffers]);
  port.on('message', (command: ThreadCommand) => {
    const { session } = command;
    if (command.kind === 'open') return void sessions.set(session, open(command.options as Options));
    if (command.kind === 'close') return void sessions.delete(session);
    try {
      const result = sessions.get(session)?.(command.input as Input);
      if (result instanceof Moved) reply({ session, output: result.output }, result.buffers);
      else reply({ session, output: result });
    } catch (error) {
      reply({ session, failure: toFailure(error) });
    }
  });
}
