import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Wherever these turn up in a logged object, the value is left out. */
const SECRET_PATHS = ['authorization', 'cookie', 'set-cookie', 'password', 'key', 'secret', 'token'].flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `*.*["${name}"]`,
]);

/**
 * Structured log lines on standard error: standard output belongs to what a command answers.
 */
export function createLog(level: string, destination: NodeJS.WritableStream = process.stderr): Log {
  return pino({ level, base: null, redact: { paths: SECRET_PATHS, censor: '[secret]' } }, destination);
}
