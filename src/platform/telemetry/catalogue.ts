const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * All that is measured, without the `almanac_` before each name. What a label says comes from a short list that the code
 * knows (operations, queues, models, codes): nothing of a caller, so that the page says nothing of anybody and stays small.
 */
export const METRICS = {
  build_info: gauge('Always 1. Which build runs on which Node.', ['version', 'node']),
  http_request_duration_seconds: histogram(
    'Requests by operation id (or route), method and class of the status; "aborted" when the client went away.',
    ['operation', 'method', 'status'],
    REQUEST_SECONDS,
  ),
  http_requests_in_flight: gauge('Requests that are being answered.', []),
  rate_limited_total: counter('Requests refused because a limit of requests was used up.', ['operation']),
  sign_ins_total: counter('Sign-ins with a password, by outcome: signed_in or refused.', ['outcome']),
  forecasts_created_total: counter('Forecasts that were queued.', []),
  forecasts_completed_total: counter('Forecasts that have a result.', []),
  forecasts_failed_total: counter('Forecasts that ended without a result, by the code of their error.', ['code']),
  model_fit_duration_seconds: histogram(
    'Time in which a model was fitted for one forecast, all its windows together, without waiting for a thread.',
    ['model'],
    WORK_SECONDS,
  ),
  engine_starts_total: counter('Starts of the engine; each after the first followed an end that was not wanted.', []),
  engine_threads_replaced_total: counter('Threads for fits that ended and were replaced.', []),
  job_duration_seconds: histogram(
    'Attempts at jobs by queue and outcome: done, or failed (tried again or given up).',
    ['queue', 'outcome'],
    WORK_SECONDS,
  ),
  queue_jobs_waiting: gauge('Jobs that could start now, by queue.', ['queue']),
  queue_oldest_waiting_seconds: gauge('For how long the oldest of them could have started.', ['queue']),
  queue_readable: gauge('1: the two above were read for this page. 0: the database did not say in time.', []),
  database_query_duration_seconds: histogram(
    'Statements by their first word, without waiting for a connection.',
    ['statement'],
    STATEMENT_SECONDS,
  ),
  database_connections: gauge('Connections in use, and requests waiting for one.', ['state']),
  mails_total: counter('Mails by outcome: sent, failed or withdrawn.', ['outcome']),
  trace_exports_total: counter('Batches of spans by outcome: sent or failed.', ['outcome']),
} as const satisfies Record<string, Metric>;

export interface Metric<Label extends string = string> {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds; of a histogram only. */
  readonly buckets?: readonly number[];
}

export type MetricName = keyof typeof METRICS;

type NamesOf<Kind extends Metric['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
export type HistogramName = NamesOf<'histogram'>;

/** One text for each label of a metric. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<(typeof METRICS)[Name]['labels'][number], string>>;

function counter<const Label extends string>(help: string, labels: readonly Label[]) {
  return { kind: 'counter', help, labels } as const;
}

function gauge<const Label extends string>(help: string, labels: readonly Label[]) {
  return { kind: 'gauge', help, labels } as const;
}

function histogram<const Label extends string>(help: string, labels: readonly Label[], buckets: readonly number[]) {
  return { kind: 'histogram', help, labels, buckets } as const;
}
