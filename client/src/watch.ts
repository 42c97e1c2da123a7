import { Attempt } from './attempt.ts';
import { AlmanacError, ConnectionError, UnexpectedReplyError } from './errors.ts';
import { type Frame, readFrames } from './event-stream.ts';
import type { EnsembleForecast, ForecastProgress } from './generated/types.ts';
import { applyOptions, type CallOptions, type Settings } from './options.ts';
import { readError } from './reply.ts';
import { type Input, type Operation, prepareRequest } from './request.ts';
import { chooseDelay, isTemporary, pause } from './retry.ts';

/** An event of a forecast. */
export interface ForecastEvent {
  /** The number of the event, from 1. */
  readonly id: string;
  /** `completed` and `failed` are last. */
  readonly kind: 'queued' | 'progress' | 'completed' | 'failed';
  readonly data: {
    readonly status: EnsembleForecast['status'];
    readonly progress?: ForecastProgress;
    readonly error?: NonNullable<EnsembleForecast['error']>;
  };
}

export interface WatchOptions extends CallOptions {
  /** The id of the last event that the caller has. The stream continues after it. */
  readonly lastEventId?: string | undefined;
}

/** The service sends something at least every 15 seconds. */
const MAX_SILENCE_MS = 45_000;

/**
 * Yields the events of a forecast until its last one. A connection that ends early is opened again and continues after the
 * last event, so that each event comes once. The number of retries counts connections in a row that brought no event.
 */
export async function* watch(
  settings: Settings,
  operation: Operation,
  input: Input,
  options: WatchOptions,
): AsyncGenerator<ForecastEvent, void> {
  const used = applyOptions(settings, options);
  let last = options.lastEventId ?? null;
  for (let failures = 0; ; ) {
    let failure: AlmanacError;
    try {
      for await (const event of connect(used, operation, input, { ...options, lastEventId: last ?? undefined })) {
        // A proxy can repeat what it has sent before.
        if (last !== null && Number(event.id) <= Number(last)) continue;
        last = event.id;
        failures = 0;
        yield event;
        if (event.kind === 'completed' || event.kind === 'failed') return;
      }
      return;
    } catch (error) {
      if (!(error instanceof AlmanacError)) throw error;
      failure = error;
    }
    failures++;
    failure.attempts = failures;
    const delay = chooseDelay(failures, used.retryDelayMs, failure.retryAfterMs);
    if (failures > used.maxRetries || !isTemporary(failure) || delay === null) throw failure;
    await pause(delay, options.signal);
  }
}

/** Yields the events of one connection. Returns if the service has no more, and throws if the connection ended before. */
async function* connect(
  settings: Settings,
  operation: Operation,
  input: Input,
  { lastEventId, ...options }: WatchOptions,
): AsyncGenerator<ForecastEvent, void> {
  const prepared = prepareRequest(operation, input, options);
  const headers = { ...prepared.headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
  const attempt = new Attempt(operation, settings, options.signal);
  try {
    const response = await attempt.run({ ...prepared, headers }, async (opened) => {
      if (!opened.ok) throw await readError(operation, opened, attempt);
      return opened;
    });
    if (response.status === 204) return;
    yield* readEvents(operation, response, attempt);
  } finally {
    attempt.close();
  }
  throw new ConnectionError('The stream ended before the forecast did.', { operation: operation.id });
}

async function* readEvents(operation: Operation, response: Response, attempt: Attempt): AsyncGenerator<ForecastEvent> {
  if (response.body === null || !/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
    throw new UnexpectedReplyError('The reply is not a stream of events.', {
      operation: operation.id,
      status: response.status,
    });
  }
  const frames = readFrames(response.body, () => attempt.allow(MAX_SILENCE_MS));
  attempt.allow(MAX_SILENCE_MS);
  for (;;) {
    const next: IteratorResult<Frame, void> = await attempt.wait(frames.next());
    // The service ends a stream that it cannot continue with an event `error`, which has no id.
    if (next.done || next.value.event === 'error') return;
    const event = toEvent(next.value);
    if (event !== null) {
      attempt.allow(null);
      yield event;
      attempt.allow(MAX_SILENCE_MS);
    }
  }
}

const KINDS: readonly string[] = ['queued', 'progress', 'completed', 'failed'];

/** Returns null for events of a newer service, which this client does not know. */
function toEvent({ id, event, data }: Frame): ForecastEvent | null {
  if (id === null || !KINDS.includes(event)) return null;
  try {
    return { id, kind: event as ForecastEvent['kind'], data: JSON.parse(data) };
  } catch {
    return null;
  }
}
