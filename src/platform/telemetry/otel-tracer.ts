import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { settlesWithin } from '../settles-within.ts';
import { type ExportLog, logExportFailures } from './log-export-failures.ts';
import { OtelSpan, SPAN_KINDS } from './otel-span.ts';
import type { EarlierSpan, OpenSpan, SpanSpec, Tracer } from './spans.ts';
import { readTraceParent } from './traceparent.ts';

/**
 * The time limit for sending a batch, including retries, so that a slow collector does not keep the process from
 * ending.
 */
const EXPORT_MS = 3_000;

/** How long `stop` waits for the last batches. It is less than the time that remains at the end of a shutdown. */
const FLUSH_MS = 2_000;

export interface TracerOptions {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly version: string;
  /** The share of traces that are recorded. */
  readonly ratio: number;
  readonly log: ExportLog;
}

export interface RunningTracer extends Tracer {
  /** Sends the remaining spans within a short time limit. */
  stop(): Promise<void>;
}

/**
 * Records spans and sends them to a collector in the background. At most 2048 spans are queued; further ones are dropped.
 * It does not use the global state or the context manager of OpenTelemetry, because it tracks the current span itself.
 */
export function startTracer({ endpoint, serviceName, version, ratio, log }: TracerOptions): RunningTracer {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = logExportFailures(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS }), log);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: createSampler(ratio),
    spanLimits: { attributeValueLengthLimit: 1_000 },
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const context = { tracer: provider.getTracer('almanac'), current: new AsyncLocalStorage<OpenSpan>() };
  return {
    current: () => context.current.getStore(),
    runOutside: (work) => context.current.exit(work),
    begin({ name, kind, attributes = {} }: SpanSpec, earlier: EarlierSpan | undefined) {
      const span = context.tracer.startSpan(name, { kind: SPAN_KINDS[kind], attributes }, contextOf(earlier));
      return span.isRecording() ? new OtelSpan(context, span) : null;
    },
    async stop() {
      await settlesWithin(provider.shutdown(), FLUSH_MS);
      exporter.detach();
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
    // The sampler decides about the traces of callers. For a trace of this service, it has already decided.
    isRemote: earlier?.from === 'caller',
  });
}

/**
 * Creates a sampler that traces the given share of requests and jobs, each of them entirely or not at all. A caller that
 * continues its own trace can opt out. If it opts in, the decision is random and does not depend on the trace id, so that
 * callers cannot exceed the share by their choice of trace ids.
 */
function createSampler(ratio: number): Sampler {
  return new ParentBasedSampler({
    root: new TraceIdRatioBasedSampler(ratio),
    remoteParentSampled: {
      shouldSample: () => ({
        decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
      }),
      toString: () => `Random{${ratio}}`,
    },
  });
}
