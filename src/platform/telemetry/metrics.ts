const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * All metrics, without the prefix `almanac_`. The values of labels come from short lists in the code, such as operations,
 * queues, models and codes. They do not come from callers, so the page contains no personal data and stays small.
 */
export const METRICS = {
  build_info: gauge('Always 1. The labels are the versions of the build and of Node.', ['version', 'node']),
  http_request_duration_seconds: histogram(
    'Duration of requests by operation id or route, method and status class ("aborted" if the client disconnected).',
    ['operation', 'method', 'status'],
    REQUEST_SECONDS,
  ),
  http_requests_in_flight: gauge('Number of running requests.', []),
  rate_limited_total: counter('Number of requests that a rate limit refused.', ['operation']),
  sign_ins_total: counter('Number of sign-ins with a password, by outcome: signed_in or refused.', ['outcome']),
  forecasts_created_total: counter('Number of forecasts that were created.', []),
  creations_refused_total: counter(
    'Number of forecasts and uploads refused because the service was late, by reason: queue or event_loop.',
    ['reason'],
  ),
  forecasts_completed_total: counter('Number of forecasts that completed.', []),
  forecasts_failed_total: counter('Number of forecasts that failed, by error code.', ['code']),
  model_fit_duration_seconds: histogram(
    'Time to fit a model in all windows of one forecast, without the time spent waiting for a thread.',
    ['model'],
    WORK_SECONDS,
  ),
  engine_starts_total: counter('Number of starts of the engine. Each start after the first follows a crash.', []),
  engine_cpu_seconds_total: counter('CPU time that the process of the engine has used for forecasts.', []),
  engine_threads_replaced_total: counter('Number of fit threads that ended and were replaced.', []),
  job_duration_seconds: histogram(
    'Duration of attempts at jobs, by queue and outcome: done or failed.',
    ['queue', 'outcome'],
    WORK_SECONDS,
  ),
  queue_jobs_waiting: gauge('Number of jobs that are ready to start, by queue.', ['queue']),
  queue_oldest_waiting_seconds: gauge('Seconds that the oldest job has been ready to start, by queue.', ['queue']),
  forecast_jobs_waiting: gauge('Number of forecasts that are ready to start, by the engine that runs them.', [
    'engine',
  ]),
  forecast_workers: gauge('Number of processes that take forecasts, by their version of the engine.', ['engine']),
  queue_readable: gauge(
    '1 if the metrics of queues and proofs were read for this page, 0 if the database did not respond in time.',
    [],
  ),
  database_query_duration_seconds: histogram(
    'Duration of statements by their first word, without the time spent waiting for a connection.',
    ['statement'],
    STATEMENT_SECONDS,
  ),
  database_connections: gauge('Number of connections in use, and of callers waiting for one.', ['state']),
  mails_total: counter('Number of emails by outcome: sent, failed or withdrawn.', ['outcome']),
  proofs_unstamped: gauge('Number of proofs that wait to be stamped, by status: pending or stamping.', ['status']),
  proofs_stamped_total: counter('Number of proofs that were stamped.', []),
  webhook_attempts_total: counter(
    'Number of attempts to deliver an event to a webhook by outcome: succeeded or failed.',
    ['outcome'],
  ),
  old_rows_removed_total: counter('Number of rows that were removed because of their age, by kind.', ['kind']),
  trace_exports_total: counter('Number of batches of spans by outcome: sent or failed.', ['outcome']),
} as const satisfies Record<string, Metric>;

export interface Metric<Label extends string = string> {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly Label[];
  /** The upper bounds of the buckets of a histogram. */
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
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by: number): void;
  change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, by: number): void;
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
}

// A module variable, because almost every function would otherwise need it as a parameter. There is one per process.
let meters: Meters | null = null;

/** Sets the receiver of all further measurements. Null stops measuring. */
export function setMeters(next: Meters | null): void {
  meters = next;
}

export function isMeasured(): boolean {
  return meters !== null;
}

/** Adds to a counter, one by default. @example count('forecasts_failed_total', { code: 'TIMED_OUT' }); */
export function count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by = 1): void {
  meters?.count(name, labels, by);
}

/** Changes a gauge by a positive or negative amount. */
export function change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, by: number): void {
  meters?.change(name, labels, by);
}

/** Records a duration in a histogram. */
export function observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void {
  meters?.observe(name, labels, seconds);
}
