import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type CounterName, type GaugeName, type HistogramName, METRICS, type Metric } from './catalogue.ts';
import type { Meters } from './meters.ts';
import { type ScrapeSources, scrapeInto } from './scrape.ts';

/** The metrics of this process, as Prometheus reads them. */
export interface Prometheus extends Meters {
  /** What is looked up only when somebody reads the page. */
  read(sources: ScrapeSources): void;
  /** The text of the page. Answers, whatever the database does. */
  page(): Promise<{ readonly type: string; readonly text: string }>;
}

/** Measures in memory, the process itself included. */
export function startPrometheus(version: string): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const made = new Map(Object.entries<Metric>(METRICS).map(([name, metric]) => [name, make(registry, name, metric)]));
  const counterOf = (name: CounterName) => made.get(name) as Counter;
  const gaugeOf = (name: GaugeName) => made.get(name) as Gauge;
  const histogramOf = (name: HistogramName) => made.get(name) as Histogram;
  gaugeOf('build_info').set({ version, node: process.version }, 1);

  let sources: ScrapeSources | undefined;
  let writing: Promise<string> | undefined;
  const write = async (): Promise<string> => {
    if (sources !== undefined) await scrapeInto(sources, gaugeOf);
    return registry.metrics();
  };
  return {
    count: (name, labels) => counterOf(name).inc(labels),
    change: (name, labels, by) => gaugeOf(name).inc(labels, by),
    observe: (name, labels, seconds) => histogramOf(name).observe(labels, seconds),
    read(given) {
      sources = given;
    },
    async page() {
      // Who asks meanwhile gets the same page, so that many readers cost no more than one.
      writing ??= write().finally(() => {
        writing = undefined;
      });
      return { type: registry.contentType, text: await writing };
    },
  };
}

function make(registry: Registry, name: string, { kind, help, labels, buckets }: Metric): Counter | Gauge | Histogram {
  const common = { name: `almanac_${name}`, help, labelNames: [...labels], registers: [registry] };
  if (kind === 'counter') return new Counter(common);
  if (kind === 'gauge') return new Gauge(common);
  return new Histogram({ ...common, buckets: [...(buckets ?? [])] });
}
