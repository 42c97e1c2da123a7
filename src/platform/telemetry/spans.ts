import { runOutsideRequest } from './request-context.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/**
 * The content of a span. It must not contain personal data, such as an address, id, name, key, query or body, nor an
 * error message, which may quote them.
 */
export interface SpanSpec {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
}

/** A span that is recorded and has not ended. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** Marks the span as failed, with a word, a status, or the type of an error but not its message. */
  fail(error: unknown): void;
  end(): void;
  /** Runs `work` with this span as the current one, even after `work` has awaited something. */
  run<T>(work: () => T): T;
  /** Opens a child span. */
  child(spec: SpanSpec): OpenSpan;
  /** Adds a child span for finished work. The times are milliseconds since 1970. */
  addFinished(spec: SpanSpec, startedAt: number, endedAt: number): void;
  /** The W3C `traceparent` header with which another process or a later job can continue the trace. */
  readonly traceparent: string;
}

/** An earlier span whose trace is continued. Spans of callers are not trusted. */
export interface EarlierSpan {
  readonly traceparent: string | undefined;
  readonly from: 'caller' | 'service';
}

export interface Tracer {
  /** Returns the first span of a trace, or null if the trace is not recorded. */
  begin(spec: SpanSpec, earlier: EarlierSpan | undefined): OpenSpan | null;
  current(): OpenSpan | undefined;
  runOutside<T>(work: () => T): T;
}

// There is one tracer per process, like the receiver of measurements.
let tracer: Tracer | null = null;

/** Sets the receiver of all further spans. Null stops tracing. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

export function isTraced(): boolean {
  return tracer !== null;
}

/** Starts a trace or continues an earlier one. Returns null if the trace is not recorded. */
export function beginTrace(spec: SpanSpec, earlier?: EarlierSpan): OpenSpan | null {
  return tracer === null ? null : tracer.begin(spec, earlier);
}

/** Returns the span that the running code is part of, if any. */
export function currentSpan(): OpenSpan | undefined {
  return tracer?.current();
}

/**
 * Runs `work` in a child of the current span. Without a current span, as during a poll or while the service starts, it
 * only runs `work`.
 *
 * @example await traced({ name: 'mail', kind: 'client' }, () => transport.send(message));
 */
export function traced<T>(spec: SpanSpec, work: (span: OpenSpan | undefined) => Promise<T>): Promise<T> {
  const parent = tracer?.current();
  if (parent === undefined) return work(undefined);
  const span = parent.child(spec);
  return runInSpan(span, () => work(span));
}

/** Runs `work` outside the current trace and request, for repeated or shared work that does not belong to them. */
export function untraced<T>(work: () => T): T {
  return runOutsideRequest(() => (tracer === null ? work() : tracer.runOutside(work)));
}

/** Runs `work` in a span, then ends the span. */
export async function runInSpan<T>(span: OpenSpan, work: () => Promise<T>): Promise<T> {
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Returns the type of an error: its code or, without a code, its name. The message is not used. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return wordOf(error) ?? 'unknown';
  return wordOf('code' in error ? error.code : undefined) ?? wordOf(error.name) ?? 'unknown';
}

function wordOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(value) ? value : undefined;
}
