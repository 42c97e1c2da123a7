import type { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { type Attributes, errorType, type OpenSpan, type SpanSpec } from './spans.ts';
import { formatTraceParent } from './traceparent.ts';

export const SPAN_KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<SpanSpec['kind'], SpanKind>;

/** The parts of a tracer that its spans use. */
export interface SpanContext {
  readonly tracer: Tracer;
  readonly current: AsyncLocalStorage<OpenSpan>;
}

/** A recorded span of OpenTelemetry. */
export class OtelSpan implements OpenSpan {
  readonly #context: SpanContext;
  readonly #span: Span;

  constructor(context: SpanContext, span: Span) {
    this.#context = context;
    this.#span = span;
  }

  get traceparent(): string {
    return formatTraceParent(this.#span.spanContext());
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(error: unknown): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.setAttribute('error.type', errorType(error));
  }

  end(): void {
    this.#span.end();
  }

  run<T>(work: () => T): T {
    return this.#context.current.run(this, work);
  }

  child(spec: SpanSpec): OpenSpan {
    return new OtelSpan(this.#context, this.#start(spec));
  }

  addFinished(spec: SpanSpec, startedAt: number, endedAt: number): void {
    this.#start(spec, startedAt).end(Math.max(startedAt, endedAt));
  }

  #start({ name, kind, attributes = {} }: SpanSpec, startTime?: number): Span {
    const options = { kind: SPAN_KINDS[kind], attributes, ...(startTime !== undefined && { startTime }) };
    return this.#context.tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, this.#span));
  }
}
