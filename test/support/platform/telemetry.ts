import { PassThrough } from 'node:stream';
import { createLog, loadConfig, startTelemetry, type Telemetry } from '../../../src/platform/index.ts';
import { type MetricsPage, readMetricsPage } from './metrics-page.ts';

export interface TestTelemetry extends Telemetry, AsyncDisposable {
  /** Returns the metrics page, parsed by the rules of its format. */
  page(): Promise<MetricsPage>;
  pageText(): Promise<string>;
  /** Returns every log line so far. */
  logged(): string;
}

/** Starts the telemetry of this process with the settings of a test. A process can have one at a time. */
export async function openTelemetry(environment: Record<string, string>): Promise<TestTelemetry> {
  const lines: string[] = [];
  const sink = new PassThrough().on('data', (chunk) => lines.push(String(chunk)));
  const telemetry = await startTelemetry(loadConfig(environment), createLog('debug', sink));
  // A connection per request: an idle one may be closed by the listener at the moment of its next use.
  const headers = { connection: 'close' };
  const pageText = async () => (await fetch(telemetry.metricsUrl ?? '', { headers })).text();
  return {
    ...telemetry,
    pageText,
    page: async () => readMetricsPage(await pageText()),
    logged: () => lines.join(''),
    [Symbol.asyncDispose]: () => telemetry.stop(),
  };
}
