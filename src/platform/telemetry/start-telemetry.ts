import { type Config, isLoopback } from '../config/index.ts';
import type { ExportLog } from './export-trouble.ts';
import { useMeters } from './meters.ts';
import type { ScrapeSources } from './scrape.ts';
import { useTracer } from './spans.ts';

/** What tells others how the service is doing; by configuration, and off by default. */
export interface Telemetry {
  /** Where the metrics page is; null: nowhere. */
  readonly metricsUrl: string | null;
  /** Says where to look up what is looked up only when somebody reads the metrics. */
  read(sources: ScrapeSources): void;
  /** Sends what is left, as far as that is possible within a moment. */
  stop(): Promise<void>;
}

/**
 * Starts what the settings ask for. What is not asked for is not even loaded: then the service pays for a comparison
 * here and there, and for nothing else. Start it before the parts that it is to see, and stop it after them.
 *
 * @example const telemetry = await startTelemetry(config, log);
 */
export async function startTelemetry(
  { metricsAddress, traces }: Pick<Config, 'metricsAddress' | 'traces'>,
  log: ExportLog,
): Promise<Telemetry> {
  await using starting = new AsyncDisposableStack();
  let metricsUrl: string | null = null;
  let read = (_sources: ScrapeSources): void => {};
  const { version } = metricsAddress || traces ? await import('./build.ts') : { version: '' };
  if (metricsAddress !== undefined) {
    const [{ startPrometheus }, { listenForMetrics }] = await Promise.all([
      import('./prometheus.ts'),
      import('./metrics-listener.ts'),
    ]);
    const prometheus = startPrometheus(version);
    const listener = await listenForMetrics(prometheus, metricsAddress);
    starting.defer(() => listener.close());
    useMeters(prometheus);
    starting.defer(() => useMeters(null));
    read = (sources) => prometheus.read(sources);
    metricsUrl = listener.url;
    log.info(`metrics are at ${metricsUrl}`);
    if (!isLoopback(metricsAddress.host)) {
      log.warn({ address: metricsAddress }, 'metrics can be read by other machines, without a credential');
    }
  }
  if (traces !== undefined) {
    const { startTracer } = await import('./otel-tracer.ts');
    const tracer = startTracer({ ...traces, version, log });
    useTracer(tracer);
    starting.defer(async () => {
      useTracer(null);
      await tracer.stop();
    });
  }
  const started = starting.move();
  return { metricsUrl, read, stop: () => started.disposeAsync() };
}
