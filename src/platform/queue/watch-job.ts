import { beginTrace, closing, currentSpan, observe } from '../telemetry/index.ts';

/** Beside the data of a job in the queue's own table; handlers never see it. */
const KEY = 'traceparent';

/** The data with the span that the job is added in, where one is recorded, so that the run of the job goes on from it. */
export function withTrace(data: object): object {
  const span = currentSpan();
  return span === undefined ? data : { ...data, [KEY]: span.traceparent };
}

/** The data as it was given, and the span that it was added in. */
export function withoutTrace<Data extends object>(stored: Data): { data: Data; traceparent: string | undefined } {
  // A job that a schedule added may have none.
  if (!stored || !(KEY in stored)) return { data: stored, traceparent: undefined };
  const { [KEY]: traceparent, ...data } = stored as Data & { [KEY]: unknown };
  return { data: data as unknown as Data, traceparent: typeof traceparent === 'string' ? traceparent : undefined };
}

export interface WatchedJob {
  readonly queue: string;
  readonly attempt: number;
  readonly traceparent: string | undefined;
}

/** Runs an attempt at a job, measured and traced when that is asked for. */
export async function watchJob({ queue, attempt, traceparent }: WatchedJob, run: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  let outcome = 'failed';
  const attributes = { 'messaging.destination.name': queue, 'almanac.attempt': attempt };
  const span = beginTrace({ name: `job ${queue}`, kind: 'consumer', attributes }, { traceparent, from: 'us' });
  try {
    await (span === null ? run() : closing(span, run));
    outcome = 'done';
  } finally {
    observe('job_duration_seconds', { queue, outcome }, (performance.now() - startedAt) / 1000);
  }
}
