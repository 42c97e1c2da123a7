import type { FastifyReply } from 'fastify';
import { clientDisconnected } from '../faults.ts';

/** Returns a signal that aborts when the client disconnects. Called only for the few handlers that use it. */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(clientDisconnected());
  });
  return controller.signal;
}
