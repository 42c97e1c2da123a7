import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { MINUTE_MS } from '../../calendar/index.ts';
import { count } from './metrics.ts';
import { errorType } from './spans.ts';

export interface ExportLog {
  warn(details: object, message: string): void;
  info(message: string): void;
}

/** How often the warning is repeated while the collector is unavailable. */
const REPEAT_MS = 10 * MINUTE_MS;

export interface LoggingExporter extends SpanExporter {
  /** Stops counting and logging, so that exports that end after the telemetry has stopped are ignored. */
  detach(): void;
}

/** Wraps an exporter so that it logs when the collector stops accepting spans and when it accepts them again. */
export function logExportFailures(
  inner: SpanExporter,
  log: ExportLog,
  now: () => number = () => performance.now(),
): LoggingExporter {
  let isDetached = false;
  let warnedAt: number | null = null;
  const record = (error: Error | undefined, isFailed: boolean): void => {
    if (isDetached) return;
    count('trace_exports_total', { outcome: isFailed ? 'failed' : 'sent' });
    if (!isFailed) {
      if (warnedAt !== null) log.info('traces are accepted again');
      warnedAt = null;
    } else if (warnedAt === null || now() - warnedAt >= REPEAT_MS) {
      warnedAt = now();
      // Only the type is logged, because the reply of a collector may quote the spans.
      log.warn({ reason: errorType(error) }, 'traces could not be sent; their spans are dropped');
    }
  };
  return {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        record(result.error, result.code !== 0);
        done(result);
      }),
    shutdown: () => inner.shutdown(),
    forceFlush: async () => inner.forceFlush?.(),
    detach: () => {
      isDetached = true;
    },
  };
}
