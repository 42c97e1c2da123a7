import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { errorType } from './error-type.ts';
import { count } from './meters.ts';

export interface ExportLog {
  warn(details: object, message: string): void;
  info(message: string): void;
}

/** While a collector is away, it is told again this often and no more. */
const SAY_AGAIN_MS = 10 * 60_000;

/** The exporter, which says when its collector stops taking spans, and when it takes them again. */
export function tellingOfTrouble(
  inner: SpanExporter,
  log: ExportLog,
  now: () => number = () => performance.now(),
): SpanExporter {
  let saidAt: number | null = null;
  const note = (error: Error | undefined, failed: boolean): void => {
    count('trace_exports_total', { outcome: failed ? 'failed' : 'sent' });
    if (!failed) {
      if (saidAt !== null) log.info('traces are taken again');
      saidAt = null;
    } else if (saidAt === null || now() - saidAt >= SAY_AGAIN_MS) {
      saidAt = now();
      // The kind only: a collector's answer may quote what was sent.
      log.warn({ reason: errorType(error) }, 'traces could not be sent; those spans are dropped');
    }
  };
  return {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        note(result.error, result.code !== 0);
        done(result);
      }),
    shutdown: () => inner.shutdown(),
    forceFlush: async () => inner.forceFlush?.(),
  };
}
