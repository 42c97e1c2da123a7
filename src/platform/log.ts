import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Creates a log on standard error: standard output belongs to the result of a command. A terminal gets readable lines,
 * a file or a pipe one JSON object per line.
 */
export function createLog(
  level: string,
  destination: NodeJS.WritableStream & { readonly isTTY?: boolean } = process.stderr,
): Log {
  return pino(
    {
      level,
      base: null,
      formatters: { log: (logged) => withoutSecrets(withPlainErrors(logged)) },
      // The formatter above has converted the errors, so that it also sees the secrets in them.
      serializers: { err: (plain: unknown) => plain },
    },
    destination.isTTY ? { write: (line) => destination.write(formatLogLine(line)) } : destination,
  );
}

/**
 * Formats a JSON line of the log for a terminal: time, level, message, the other fields, and the stack of an error on
 * lines of its own.
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

/** Replaces errors by what pino writes for them: type, message, stack and their properties. */
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

/** Values under these names are removed from logged objects. */
const SECRET_NAMES = new Set(['authorization', 'cookie', 'set-cookie', 'password', 'key', 'secret', 'token']);

const CENSORED = '[secret]';

/** Deep enough for the errors inside an error. */
const MAX_DEPTH = 4;

/**
 * Returns the object with its secrets censored, or the object itself when it has none, as nearly always. Pino's own
 * redaction, by paths with wildcards, takes longer than the rest of a log line.
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
  // Objects that serialize themselves, and bytes, have no names to check.
  if (depth === 0 || typeof value !== 'object' || value === null || 'toJSON' in value || ArrayBuffer.isView(value))
    return value;
  return withoutSecrets(value, depth);
}
