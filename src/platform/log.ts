import { type Logger, pino } from 'pino';
import { withoutSecrets } from './without-secrets.ts';

export type Log = Logger;

/**
 * Structured log lines on standard error: standard output belongs to what a command answers.
 */
export function createLog(level: string, destination: NodeJS.WritableStream = process.stderr): Log {
  return pino(
    {
      level,
      base: null,
      formatters: { log: (logged) => withoutSecrets(withPlainErrors(logged)) },
      // Done before, so that what hangs on an error is seen by the line above.
      serializers: { err: (plain: unknown) => plain },
    },
    destination,
  );
}

/** Errors as pino writes them: type, message, stack and whatever properties they carry. */
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
