import { beginTrace, currentRequestId, currentSpan, observe, runInRequest, runInSpan } from '../telemetry/index.ts';
import { familyOf } from './queue.ts';

/**
 * The name under which the origin is stored in the data of a job. Handlers do not receive it. Earlier builds stored the
 * traceparent alone, and remove only this name from what handlers get, so the id of the request is below it as well.
 */
const KEY = 'traceparent';

/** The request and the span in which a job was added. */
export interface JobOrigin {
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** Adds the current request and span, if there are any, to the data, so that the job continues them. */
export function withOrigin(data: object): object {
  const origin: JobOrigin = { requestId: currentRequestId(), traceparent: currentSpan()?.traceparent };
  return origin.requestId === undefined && origin.traceparent === undefined ? data : { ...data, [KEY]: origin };
}

/** Returns the original data and, separately, the request and the span in which the job was added. */
export function withoutOrigin<Data extends object>(stored: Data): { data: Data; origin: JobOrigin } {
  // A scheduled job may have no data.
  if (!stored || !(KEY in stored)) return { data: stored, origin: {} };
  const { [KEY]: origin, ...data } = stored as Data & { [KEY]: unknown };
  return { data: data as unknown as Data, origin: readOrigin(origin) };
}

function readOrigin(stored: unknown): JobOrigin {
  if (typeof stored === 'string') return { traceparent: stored };
  if (typeof stored !== 'object' || stored === null) return {};
  const { requestId, traceparent } = stored as Record<string, unknown>;
  return {
    ...(typeof requestId === 'string' && { requestId }),
    ...(typeof traceparent === 'string' && { traceparent }),
  };
}

export interface WatchedJob {
  readonly queue: string;
  readonly attempt: number;
  readonly origin: JobOrigin;
}

/** Runs an attempt at a job as part of its request, and measures and traces it if that is enabled. */
export async function watchJob(
  { queue: name, attempt, origin: { requestId, traceparent } }: WatchedJob,
  run: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const queue = familyOf(name);
  let outcome = 'failed';
  const attributes = {
    'messaging.destination.name': queue,
    'almanac.attempt': attempt,
    ...(requestId !== undefined && { 'almanac.request_id': requestId }),
  };
  const span = beginTrace({ name: `job ${queue}`, kind: 'consumer', attributes }, { traceparent, from: 'service' });
  try {
    await runInRequest(requestId, () => (span === null ? run() : runInSpan(span, run)));
    outcome = 'done';
  } finally {
    observe('job_duration_seconds', { queue, outcome }, (performance.now() - startedAt) / 1000);
  }
}
