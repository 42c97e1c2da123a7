const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * All metrics, without the prefix `almanac_`. The values of a label come from short lists in the code (operations, queues,
 * models, codes) and never from a caller, so that the page has no personal data and stays small.
 */
export const METRICS = {
  build_info: gauge('Always 1; the labels are the versions of the build and of Node.', ['version', 'node']),
  http_request_duration_seconds: histogram(
    'Requests by operation id (or route), method and status class; "aborted" when the client disconnected.',
    ['operation', 'method', 'status'],
    REQUEST_SECONDS,
  ),
  http_requests_in_flight: gauge('Running requests.', []),
  rate_limited_total: counter('Requests refused by a rate limit.', ['operation']),
  sign_ins_total: counter('Sign-ins with a password, by outcome: signed_in or refused.', ['outcome']),
  forecasts_created_total: counter('Queued forecasts.', []),
  forecasts_completed_total: counter('Forecasts with a result.', []),
  forecasts_failed_total: counter('Forecasts without a result, by error code.', ['code']),
  model_fit_duration_seconds: histogram(
    'Time to fit a model in one forecast, all windows together, without waiting for a thread.',
    ['model'],
    WORK_SECONDS,
  ),
  engine_starts_total: counter('Starts of the engine; each after the first one is a restart after a crash.', []),
  engine_threads_replaced_total: counter('Fit threads that ended and were replaced.', []),
  job_duration_seconds: histogram(
    'Attempts at jobs by queue and outcome: done or failed (retried or given up).',
    ['queue', 'outcome'],
    WORK_SECONDS,
  ),
  queue_jobs_waiting: gauge('Jobs that are ready to start, by queue.', ['queue']),
  queue_oldest_waiting_seconds: gauge('How long the oldest job has been ready to start, by queue.', ['queue']),
  queue_readable: gauge(
    '1 if the queue metrics were read for this page, 0 if the database did not respond in time.',
    [],
  ),
  database_query_duration_seconds: histogram(
    'Statements by their first word, without waiting for a connection.',
    ['statement'],
    STATEMENT_SECONDS,
  ),
  database_connections: gauge('Connections in use, and callers waiting for one.', ['state']),
  mails_total: counter('Mails by outcome: sent, failed or withdrawn.', ['outcome']),
  trace_exports_total: counter('Batches of spans by outcome: sent or failed.', ['outcome']),
} as const satisfies Record<string, Metric>;

export interface Metric<Label extends string = string> {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

export type MetricName = keyof typeof METRICS;

type NamesOf<Kind extends Metric['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
export type HistogramName = NamesOf<'histogram'>;

/** The value of each label of a metric. */
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

/** Receives measurements. */
export interface Meters {
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>): void;
  change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, by: number): void;
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
}

// One per process, like the things it measures. As a parameter it would be in almost every signature.
let meters: Meters | null = null;

/** Sets the receiver of all further measurements; null stops measuring. */
export function useMeters(next: Meters | null): void {
  meters = next;
}

export function isMeasured(): boolean {
  return meters !== null;
}

/** Adds one to a counter. @example count('forecasts_failed_total', { code: 'TIMED_OUT' }); */
export function count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>): void {
  meters?.count(name, labels);
}

/** Changes a gauge by a positive or negative amount. */
export function change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, by: number): void {
  meters?.change(name, labels, by);
}

/** Records a duration. */
export function observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void {
  meters?.observe(name, labels, seconds);
}
