import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequestId } from './telemetry/request-context.ts';

export type Log = Logger;

/**
 * Creates a log that writes to standard error, because commands write their result to standard output. It writes readable
 * lines to a terminal, and one JSON object per line to a file or pipe.
 */
export function createLog(
  level: string,
  destination: NodeJS.WritableStream & { readonly isTTY?: boolean } = process.stderr,
): Log {
  const log: Logger = pino(
    {
      level,
      // The loggers of requests are children that have the id already.
      mixin: (_logged, _level, logger) => {
        const requestId = logger === log ? currentRequestId() : undefined;
        return requestId === undefined ? {} : { request_id: requestId };
      },
      base: null,
      formatters: { log: (logged) => withoutSecrets(withPlainErrors(logged)) },
      // The formatter above has already converted the errors, in order to censor the secrets in them.
      serializers: { err: (plain: unknown) => plain },
    },
    destinationStream(destination),
  );
  return log;
}

function destinationStream(destination: NodeJS.WritableStream & { readonly isTTY?: boolean }): DestinationStream {
  if (destination.isTTY) return { write: (line) => void destination.write(formatLogLine(line)) };
  // Writes to the descriptor, which costs less than the stream. Synchronous, so that no line is lost in a crash.
  if (destination !== process.stderr) return destination;
  const file = pino.destination({ dest: process.stderr.fd, sync: true });
  // If the log is a file on a full disk, its lines are lost, but the service continues.
  file.on('error', () => undefined);
  return file;
}

/**
 * Formats a JSON line of the log for a terminal: time, level, message and the other fields, followed by the stack of an
 * error on separate lines.
 *
 * @example '14:03:05 INFO  stopping reason="SIGINT"\n'
 */
export function formatLogLine(line: string): string {
  const { time, level, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const label = (pino.levels.labels[Number(level)] ?? '').toUpperCase().padEnd(5);
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const stack = (err as { readonly stack?: unknown } | undefined)?.stack;
  const error = err === undefined ? '' : `\n  ${String(stack ?? JSON.stringify(err)).replaceAll('\n', '\n  ')}`;
  return `${`${clock} ${label} ${msg}${rest.join('')}`.trimEnd()}${error}\n`;
}

/** Replaces errors with the objects that pino writes for them: type, message, stack and other properties. */
function withPlainErrors(logged: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(logged)) {
    const value = logged[name];
    if (!(value instanceof Error)) continue;
    copy ??= { ...logged };
    copy[name] = { ...pino.stdSerializers.err(value) };
  }
  return copy ?? logged;
}

/** The names whose values are censored in logged objects. */
const SECRET_NAMES = new Set(['authorization', 'cookie', 'set-cookie', 'password', 'key', 'secret', 'token']);

const CENSORED = '[secret]';

/** The depth to which objects are searched: deep enough for the cause of an error. */
const MAX_DEPTH = 4;

/**
 * Returns a copy of the object with its secrets censored, or the object itself if it has none, which is the usual case.
 * Pino's own redaction, by paths with wildcards, would take longer than the rest of a log line.
 */
export function withoutSecrets<Logged extends object>(logged: Logged, depth = MAX_DEPTH): Logged {
  let copy: Logged | undefined;
  for (const name of Object.keys(logged)) {
    const value: unknown = Reflect.get(logged, name);
    const shown = SECRET_NAMES.has(name) ? CENSORED : censor(value, depth - 1);
    if (shown === value) continue;
    copy ??= Object.assign(Array.isArray(logged) ? [] : {}, logged) as Logged;
    Reflect.set(copy, name, shown);
  }
  return copy ?? logged;
}

function censor(value: unknown, depth: number): unknown {
  // Objects that serialize themselves and binary data have no names to check.
  if (depth === 0 || typeof value !== 'object' || value === null || 'toJSON' in value || ArrayBuffer.isView(value))
    return value;
  return withoutSecrets(value, depth);
}
