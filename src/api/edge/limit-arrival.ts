import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Fault } from '../../contract/index.ts';
import type { Log } from '../../platform/index.ts';
import { bodyTimedOut, bodyTooSlow, uploadStalled, uploadTimedOut } from './faults.ts';
import { sendErrorToSocket } from './unreadable.ts';

/** How long requests may take to arrive. */
export interface ArrivalLimits {
  /** Applies separately to the head of a request, to its body, and to each pause in an upload. */
  readonly requestMs: number;
  /** Applies to the body of an upload. */
  readonly uploadMs: number;
}

/** Number of checks within the longest allowed pause of an upload. */
const STALL_CHECKS = 12;

/** Bytes per second at which a large body must arrive, and how often its pace is checked in the time of a request. */
const MIN_PACE = 32 * 1024;
const PACE_CHECKS = 6;

/** How long the reader of a late body has to clean up and respond before the connection is closed. */
const LINGER_MS = 5_000;

/** A body that is arriving. */
interface Arrival {
  /** Requires a minimum pace. @param onLate called with the fault if the body is slower */
  requirePace(onLate: (fault: Fault) => void): void;
  /** Applies the limits of uploads. @param onLate called with the fault if the upload exceeds them */
  allowUpload(onLate: (fault: Fault) => void): void;
}

const arrivals = new WeakMap<IncomingMessage, Arrival>();

/**
 * Ends requests whose body takes too long to arrive, whether or not it is read. This includes requests that were
 * already answered, for example because they had no credential, but are still sending their body. Node itself limits
 * the head. Node also limits whole requests, but with one limit for all of them, which must allow for uploads.
 */
export function limitArrival(app: FastifyInstance, limits: ArrivalLimits, log: Log): void {
  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    if (hasBody(request)) arrivals.set(request, watchArrival(request, response, limits, log));
  };
  app.server.prependListener('request', watch);
  app.server.prependListener('checkExpectation', watch);
}

/** Applies the limits of uploads to the body of a request. @param onLate called with the fault if it exceeds them */
export function allowUpload(request: IncomingMessage, onLate: (fault: Fault) => void): void {
  arrivals.get(request)?.allowUpload(onLate);
}

/**
 * Replaces the time limit of a large body by a minimum pace, so that a body that stops holds its memory only for a
 * moment. @param onLate called with the fault if the body is slower
 */
export function requirePace(request: IncomingMessage, onLate: (fault: Fault) => void): void {
  arrivals.get(request)?.requirePace(onLate);
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
  const giveUp = (fault: Fault, report: (fault: Fault) => void): void => {
    stop();
    if (request.complete) return;
    // A response was already sent, so the error cannot be reported.
    if (response.headersSent) return void socket.destroy();
    // Not every reader of the body closes the connection.
    response.once('finish', () => socket.destroySoon());
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    report(fault);
  };
  const after = (ms: number, action: () => void): void => {
    timers.add(setTimeout(action, ms).unref());
  };
  request.once('close', stop);
  after(requestMs, () =>
    giveUp(bodyTimedOut(requestMs), (fault) => {
      // The reader of the body, if there is one, responds with the error.
      if (request.listenerCount('error') > 0) request.emit('error', fault);
      else sendErrorToSocket(fault, socket, log, request);
    }),
  );
  return {
    requirePace(onLate) {
      stop();
      const checkMs = requestMs / PACE_CHECKS;
      let bytes = socket.bytesRead;
      const check = (): void => {
        const isSlow = socket.bytesRead - bytes < (MIN_PACE * checkMs) / 1_000;
        bytes = socket.bytesRead;
        if (isSlow) giveUp(bodyTooSlow(MIN_PACE), onLate);
      };
      timers.add(setInterval(check, checkMs).unref());
    },
    allowUpload(onLate) {
      stop();
      after(uploadMs, () => giveUp(uploadTimedOut(uploadMs), onLate));
      let bytes = socket.bytesRead;
      let idleChecks = 0;
      const check = (): void => {
        // While received bytes are unread, the client does not cause the delay.
        const isIdle = socket.bytesRead === bytes && request.readableLength === 0;
        idleChecks = isIdle ? idleChecks + 1 : 0;
        bytes = socket.bytesRead;
        if (idleChecks >= STALL_CHECKS) giveUp(uploadStalled(requestMs), onLate);
      };
      timers.add(setInterval(check, requestMs / STALL_CHECKS).unref());
    },
  };
}
