export type Attributes = Readonly<Record<string, string | number | boolean>>;

/**
 * The content of a span. It must not have personal data: no address, id, name, key, query or body, and no error message,
 * which may quote any of them.
 */
export interface SpanSpec {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
}

/** A span that is recorded and has not ended. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** Marks it as failed, with the type of an error (never its message), a word or a status. */
  fail(error: unknown): void;
  end(): void;
  /** Runs `work` as part of this span, through all its awaits. */
  run<T>(work: () => T): T;
  /** Opens a child span. */
  child(spec: SpanSpec): OpenSpan;
  /** Adds a child span for finished work. The times are milliseconds since 1970. */
  addFinished(spec: SpanSpec, startedAt: number, endedAt: number): void;
  /** The W3C header with which another process or a later job continues the trace. */
  readonly traceparent: string;
}

/** An earlier span that is continued: of a caller, which is not trusted, or of this service. */
export interface EarlierSpan {
  readonly traceparent: string | undefined;
  readonly from: 'caller' | 'service';
}

export interface Tracer {
  /** Returns null when the trace is not recorded. */
  begin(spec: SpanSpec, earlier: EarlierSpan | undefined): OpenSpan | null;
  current(): OpenSpan | undefined;
  runOutside<T>(work: () => T): T;
}

// One per process, like the receiver of measurements.
let tracer: Tracer | null = null;

/** Sets the receiver of all further spans; null stops tracing. */
export function useTracer(next: Tracer | null): void {
  tracer = next;
}

export function isTraced(): boolean {
  return tracer !== null;
}

/** Starts a trace or continues an earlier one. Returns null when it is not recorded; then its children are not either. */
export function beginTrace(spec: SpanSpec, earlier?: EarlierSpan): OpenSpan | null {
  return tracer === null ? null : tracer.begin(spec, earlier);
}

/** Returns the span of the running code. */
export function currentSpan(): OpenSpan | undefined {
  return tracer?.current();
}

/**
 * Runs `work` as a step of the current trace; without one, just runs it. Work that no trace started (a poll, a start) has
 * no span.
 *
 * @example await traced({ name: 'mail', kind: 'client' }, () => transport.send(message));
 */
export function traced<T>(spec: SpanSpec, work: (span: OpenSpan | undefined) => Promise<T>): Promise<T> {
  const parent = tracer?.current();
  if (parent === undefined) return work(undefined);
  const span = parent.child(spec);
  return runInSpan(span, () => work(span));
}

/** Runs `work` outside the current trace: repeated or shared work would fill it. */
export function untraced<T>(work: () => T): T {
  return tracer === null ? work() : tracer.runOutside(work);
}

/** Runs `work` in the span and ends the span with it. */
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

/** Returns the type of an error: its code if it has one, otherwise its name. Never its message. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return wordOf(error) ?? 'unknown';
  return wordOf('code' in error ? error.code : undefined) ?? wordOf(error.name) ?? 'unknown';
}

function wordOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(value) ? value : undefined;
}
