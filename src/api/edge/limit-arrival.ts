import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../contract/index.ts';
import type { Log } from '../../platform/index.ts';
import { saySeconds } from './say-seconds.ts';
import { answerBySocket } from './unreadable.ts';

/** How long requests may take to arrive. */
export interface ArrivalLimits {
  /** The head of every request, and from then on its body; and the pause between two bytes of a file. */
  readonly requestMs: number;
  /** A file. */
  readonly uploadMs: number;
}

/** What HTTP has for it (RFC 9110, 15.5.9). */
const TOO_SLOW = 408;

/** How often within a pause it is looked whether it is one. */
const LOOKS = 12;

/** Whoever reads the body has this long to clear away and answer. */
const LINGER_MS = 5_000;

/** A body on its way in. */
interface Arrival {
  /** It is a file of somebody who may send one. @param onLate told when it takes too long after all */
  takeLonger(onLate: (fault: Fault) => void): void;
}

const arrivals = new WeakMap<IncomingMessage, Arrival>();

/**
 * Ends requests whose body takes too long, whether anybody reads it or not: also those that were answered before, for
 * want of a credential, say, and hold their connection with what they still have to send. Node has one limit for all
 * requests, which is that of files here, and looks at it now and then; the head is left to Node.
 */
export function limitArrival(app: FastifyInstance, limits: ArrivalLimits, log: Log): void {
  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    if (hasBody(request)) arrivals.set(request, watchArrival(request, response, limits, log));
  };
  app.server.prependListener('request', watch);
  app.server.prependListener('checkExpectation', watch);
}

/** Gives the file that a request brings the time that files have. @param onLate told when that is over, too */
export function allowUpload(request: IncomingMessage, onLate: (fault: Fault) => void): void {
  arrivals.get(request)?.takeLonger(onLate);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function watchArrival(
  request: IncomingMessage,
  response: ServerResponse,
  { requestMs, uploadMs }: ArrivalLimits,
  log: Log,
): Arrival {
  const { socket } = request;
  const timers = new Set<NodeJS.Timeout>();
  const stop = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  };
  const giveUp = (message: string, tell: (fault: Fault) => void): void => {
    stop();
    if (request.complete) return;
    // Nothing can be said any more, or all was said.
    if (response.headersSent) return void socket.destroy();
    // Not every reader knows that the connection is of no more use.
    response.once('finish', () => socket.destroySoon());
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    tell(new Fault('INVALID_REQUEST', message, { status: TOO_SLOW }));
  };
  const later = (ms: number, then: () => void): void => {
    timers.add(setTimeout(then, ms).unref());
  };
  request.once('close', stop);
  later(requestMs, () =>
    giveUp(`The body of the request did not arrive within ${saySeconds(requestMs)}.`, (fault) => {
      // Whoever reads the body answers what went wrong with it.
      if (request.listenerCount('error') > 0) request.emit('error', fault);
      else answerBySocket({ status: TOO_SLOW, message: fault.message }, socket, log, request);
    }),
  );
  return {
    takeLonger(onLate) {
      stop();
      later(uploadMs, () => giveUp(`The file did not arrive within ${saySeconds(uploadMs)}.`, onLate));
      let [bytes, looks] = [socket.bytesRead, 0];
      const look = (): void => {
        // What has come and nobody has read yet is no fault of who sends.
        looks = socket.bytesRead === bytes && request.readableLength === 0 ? looks + 1 : 0;
        bytes = socket.bytesRead;
        if (looks >= LOOKS) giveUp(`No byte of the file came for ${saySeconds(requestMs)}.`, onLate);
      };
      timers.add(setInterval(look, requestMs / LOOKS).unref());
    },
  };
}
