export type Attributes = Readonly<Record<string, string | number | boolean>>;

/**
 * What a span says. Nothing of a person goes in here: no address, id, name, key, query or body; and no message of an
 * error, which may quote any of them.
 */
export interface SpanSpec {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
}

/** A span that is recorded and has not ended. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** Marks it as failed: by an error, of which the kind is told only, or by a word or status. */
  fail(error: unknown): void;
  end(): void;
  /** Runs `work` so that what it does belongs to this span, through all its awaits. */
  run<T>(work: () => T): T;
  /** Opens a span below this one. */
  child(spec: SpanSpec): OpenSpan;
  /** Adds a span below this one for what is over. The times are milliseconds since 1970. */
  past(spec: SpanSpec, startedAt: number, endedAt: number): void;
  /** How another process, or a later job, goes on with it: the W3C header of this name. */
  readonly traceparent: string;
}

/** An earlier span to go on from: a caller's, who may say anything, or one that we kept ourselves. */
export interface EarlierSpan {
  readonly traceparent: string | undefined;
  readonly from: 'caller' | 'us';
}

export interface Tracer {
  /** Null: this one is left out. */
  begin(spec: SpanSpec, earlier: EarlierSpan | undefined): OpenSpan | null;
  current(): OpenSpan | undefined;
  outside<T>(work: () => T): T;
}

// One for the process, like the meters beside it.
let tracer: Tracer | null = null;

/** From now on spans go there; null: nowhere. */
export function useTracer(next: Tracer | null): void {
  tracer = next;
}

export function isTraced(): boolean {
  return tracer !== null;
}

/** Begins a trace, or goes on with an earlier one. Null when it is not recorded; then nothing below it is either. */
export function beginTrace(spec: SpanSpec, earlier?: EarlierSpan): OpenSpan | null {
  return tracer === null ? null : tracer.begin(spec, earlier);
}

/** The span that the running code belongs to. */
export function currentSpan(): OpenSpan | undefined {
  return tracer?.current();
}

/**
 * Runs `work` as a step of the trace that the running code belongs to; without one, just runs it. What begins by itself
 * (a poll, a start) is no step of anything and leaves no span.
 *
 * @example await traced({ name: 'mail', kind: 'client' }, () => transport.send(message));
 */
export function traced<T>(spec: SpanSpec, work: (span: OpenSpan | undefined) => Promise<T>): Promise<T> {
  const above = tracer?.current();
  if (above === undefined) return work(undefined);
  const span = above.child(spec);
  return closing(span, () => work(span));
}

/** Runs `work` as a step of nothing: what is done again and again, or for others as well, would fill a trace. */
export function untraced<T>(work: () => T): T {
  return tracer === null ? work() : tracer.outside(work);
}

/** Runs `work` in the span and ends it with it. */
export async function closing<T>(span: OpenSpan, work: () => Promise<T>): Promise<T> {
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
