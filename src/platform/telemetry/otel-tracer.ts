import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { settlesWithin } from '../queue/settles-within.ts';
import { type ExportLog, tellingOfTrouble } from './export-trouble.ts';
import { KINDS, OtelSpan } from './otel-span.ts';
import { shareOf } from './sampler.ts';
import type { EarlierSpan, OpenSpan, SpanSpec, Tracer } from './spans.ts';
import { readTraceParent } from './traceparent.ts';

/** For a batch, with what is tried again. The collector is near; one that is not must not hold up the end of the process. */
const EXPORT_MS = 3_000;

/** How long a stop waits for the last batches: less than what is left for closing when all else has taken its time. */
const FLUSH_MS = 2_000;

export interface TracerOptions {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly version: string;
  /** Share of traces. */
  readonly ratio: number;
  readonly log: ExportLog;
}

export interface RunningTracer extends Tracer {
  /** Sends what was recorded, as far as the collector takes it within a moment. */
  stop(): Promise<void>;
}

/**
 * Records spans and sends them to a collector in the background: at most 2048 wait, the others are dropped. Nothing of
 * OpenTelemetry's global state is used, and no context of its own: which span is current is known here.
 */
export function startTracer({ endpoint, serviceName, version, ratio, log }: TracerOptions): RunningTracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_MS,
  });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: shareOf(ratio),
    spanLimits: { attributeValueLengthLimit: 1_000 },
    spanProcessors: [new BatchSpanProcessor(tellingOfTrouble(exporter, log))],
  });
  const home = { tracer: provider.getTracer('almanac'), current: new AsyncLocalStorage<OpenSpan>() };
  return {
    current: () => home.current.getStore(),
    outside: (work) => home.current.exit(work),
    begin({ name, kind, attributes = {} }: SpanSpec, earlier: EarlierSpan | undefined) {
      const span = home.tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(earlier));
      return span.isRecording() ? new OtelSpan(home, span) : null;
    },
    async stop() {
      await settlesWithin(provider.shutdown(), FLUSH_MS);
    },
  };
}

function contextOf(earlier: EarlierSpan | undefined) {
  const parent = readTraceParent(earlier?.traceparent);
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    // A caller's wish is subject to our share; what we kept ourselves has been drawn already.
    isRemote: earlier?.from === 'caller',
  });
}
