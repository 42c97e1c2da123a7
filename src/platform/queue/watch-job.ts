import { beginTrace, currentSpan, observe, runInSpan } from '../telemetry/index.ts';
import { familyOf } from './queue.ts';

/** The name under which the trace is stored in the data of a job. Handlers do not receive it. */
const KEY = 'traceparent';

/** Adds the current span, if there is one, to the data, so that the job continues the trace. */
export function withTrace(data: object): object {
  const span = currentSpan();
  return span === undefined ? data : { ...data, [KEY]: span.traceparent };
}

/** Returns the original data and, separately, the span in which the job was added. */
export function withoutTrace<Data extends object>(stored: Data): { data: Data; traceparent: string | undefined } {
  // A scheduled job may have no data.
  if (!stored || !(KEY in stored)) return { data: stored, traceparent: undefined };
  const { [KEY]: traceparent, ...data } = stored as Data & { [KEY]: unknown };
  return { data: data as unknown as Data, traceparent: typeof traceparent === 'string' ? traceparent : undefined };
}

export interface WatchedJob {
  readonly queue: string;
  readonly attempt: number;
  readonly traceparent: string | undefined;
}

/** Runs an attempt at a job, and measures and traces it if that is enabled. */
export async function watchJob(
  { queue: name, attempt, traceparent }: WatchedJob,
  run: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const queue = familyOf(name);
  let outcome = 'failed';
  const attributes = { 'messaging.destination.name': queue, 'almanac.attempt': attempt };
  const span = beginTrace({ name: `job ${queue}`, kind: 'consumer', attributes }, { traceparent, from: 'service' });
  try {
    await (span === null ? run() : runInSpan(span, run));
    outcome = 'done';
  } finally {
    observe('job_duration_seconds', { queue, outcome }, (performance.now() - startedAt) / 1000);
  }
}
