import { isLoopback } from '../config/checks.ts';
import type { Config } from '../config/load-config.ts';
import { readVersion } from '../version.ts';
import type { ExportLog } from './log-export-failures.ts';
import { setMeters } from './metrics.ts';
import type { ScrapeSources } from './prometheus.ts';
import { setTracer } from './spans.ts';

/** The metrics and traces of a process. Both are off by default. */
export interface Telemetry {
  /** The URL of the metrics page, or null if it is not served. */
  readonly metricsUrl: string | null;
  /** Adds the metrics that are read only when the page is requested. */
  exposeMetrics(sources: ScrapeSources): void;
  /** Sends the remaining spans within a short time limit. */
  stop(): Promise<void>;
}

/**
 * Starts the metrics and traces that the settings enable. Libraries for metrics or traces that are not enabled are not
 * loaded. Start the telemetry before the parts that it measures, and stop it after them.
 *
 * @example const telemetry = await startTelemetry(config, log);
 */
export async function startTelemetry(
  { metricsAddress, traces }: Pick<Config, 'metricsAddress' | 'traces'>,
  log: ExportLog,
): Promise<Telemetry> {
  await using starting = new AsyncDisposableStack();
  let metricsUrl: string | null = null;
  let exposeMetrics = (_sources: ScrapeSources): void => {};
  const version = metricsAddress || traces ? readVersion() : '';
  if (metricsAddress !== undefined) {
    const [{ startPrometheus }, { serveMetrics }] = await Promise.all([
      import('./prometheus.ts'),
      import('./metrics-listener.ts'),
    ]);
    const prometheus = startPrometheus(version);
    const listener = await serveMetrics(prometheus, metricsAddress);
    starting.defer(() => listener.close());
    setMeters(prometheus);
    starting.defer(() => setMeters(null));
    exposeMetrics = (sources) => prometheus.expose(sources);
    metricsUrl = listener.url;
    log.info(`metrics are served at ${metricsUrl}`);
    if (!isLoopback(metricsAddress.host)) {
      log.warn({ address: metricsAddress }, 'other machines can read the metrics without a credential');
    }
  }
  if (traces !== undefined) {
    const { startTracer } = await import('./otel-tracer.ts');
    const tracer = startTracer({ ...traces, version, log });
    setTracer(tracer);
    starting.defer(async () => {
      setTracer(null);
      await tracer.stop();
    });
  }
  const started = starting.move();
  return { metricsUrl, exposeMetrics, stop: () => started.disposeAsync() };
}
