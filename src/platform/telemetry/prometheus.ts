import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type CounterName, type GaugeName, type HistogramName, METRICS, type Meters, type Metric } from './metrics.ts';

/** The metrics of this process in the format of Prometheus. */
export interface Prometheus extends Meters {
  /** Adds the metrics that are read only when the page is requested. */
  expose(sources: ScrapeSources): void;
  /** Returns the text of the page, even if the database does not respond. */
  page(): Promise<{ readonly type: string; readonly text: string }>;
}

/** Starts measuring in memory, including the default metrics of the process. */
export function startPrometheus(version: string): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = new Map(
    Object.entries<Metric>(METRICS).map(([name, metric]) => [name, createMetric(registry, name, metric)]),
  );
  const counterOf = (name: CounterName) => metrics.get(name) as Counter;
  const gaugeOf = (name: GaugeName) => metrics.get(name) as Gauge;
  const histogramOf = (name: HistogramName) => metrics.get(name) as Histogram;
  gaugeOf('build_info').set({ version, node: process.version }, 1);

  let sources: ScrapeSources | undefined;
  let writing: Promise<string> | undefined;
  const write = async (): Promise<string> => {
    if (sources !== undefined) await scrapeInto(sources, gaugeOf);
    return registry.metrics();
  };
  return {
    count: (name, labels, by) => counterOf(name).inc(labels, by),
    change: (name, labels, by) => gaugeOf(name).inc(labels, by),
    observe: (name, labels, seconds) => histogramOf(name).observe(labels, seconds),
    expose(newSources) {
      sources = newSources;
    },
    async page() {
      // Concurrent requests share one page, so that many readers cause no more work than one.
      writing ??= write().finally(() => {
        writing = undefined;
      });
      return { type: registry.contentType, text: await writing };
    },
  };
}

function createMetric(
  registry: Registry,
  name: string,
  { kind, help, labels, buckets }: Metric,
): Counter | Gauge | Histogram {
  const common = { name: `almanac_${name}`, help, labelNames: [...labels], registers: [registry] };
  if (kind === 'counter') return new Counter(common);
  if (kind === 'gauge') return new Gauge(common);
  return new Histogram({ ...common, buckets: [...(buckets ?? [])] });
}

/** The jobs of a queue that are waiting to start. */
export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  /** How long the oldest waiting job has been ready to start. */
  readonly oldestSeconds: number;
}

/** The sources of metrics that are read when the page is requested. */
export interface ScrapeSources {
  queues(): Promise<readonly QueueDepth[]>;
  /** The proofs that are not stamped yet, by status. */
  proofs(): Promise<Readonly<Record<string, number>>>;
  connections(): { readonly inUse: number; readonly waiting: number };
}

interface SettableGauge {
  set(labels: Record<string, string>, value: number): void;
  reset(): void;
}

/**
 * How long a page waits for the queues. Prometheus waits ten seconds by default, and a page without the queues is
 * better than none.
 */
const QUEUE_TIMEOUT_MS = 1_000;

/**
 * The running queries. Only one runs at a time, so that a database that does not respond does not get another query for
 * every page.
 */
const pendingQueries = new WeakMap<ScrapeSources, Promise<StoredFigures>>();

interface StoredFigures {
  readonly queues: readonly QueueDepth[];
  readonly proofs: Readonly<Record<string, number>>;
}

/** Sets the gauges from the sources within a time limit. Queue metrics that could not be read are omitted. */
export async function scrapeInto(sources: ScrapeSources, gaugeOf: (name: GaugeName) => SettableGauge): Promise<void> {
  const { inUse, waiting } = sources.connections();
  gaugeOf('database_connections').set({ state: 'in_use' }, inUse);
  gaugeOf('database_connections').set({ state: 'waiting' }, waiting);
  const figures = await readFigures(sources);
  gaugeOf('queue_readable').set({}, figures === null ? 0 : 1);
  for (const name of ['queue_jobs_waiting', 'queue_oldest_waiting_seconds', 'proofs_unstamped'] as const) {
    gaugeOf(name).reset();
  }
  for (const [status, proofs] of Object.entries(figures?.proofs ?? {})) {
    gaugeOf('proofs_unstamped').set({ status }, proofs);
  }
  for (const depth of figures?.queues ?? []) {
    gaugeOf('queue_jobs_waiting').set({ queue: depth.queue }, depth.waiting);
    gaugeOf('queue_oldest_waiting_seconds').set({ queue: depth.queue }, depth.oldestSeconds);
  }
}

async function readFigures(sources: ScrapeSources): Promise<StoredFigures | null> {
  let query = pendingQueries.get(sources);
  if (query === undefined) {
    query = Promise.all([sources.queues(), sources.proofs()])
      .then(([queues, proofs]) => ({ queues, proofs }))
      .finally(() => pendingQueries.delete(sources));
    pendingQueries.set(sources, query);
  }
  const { promise: timeout, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, QUEUE_TIMEOUT_MS, null);
  try {
    return await Promise.race([query, timeout]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
