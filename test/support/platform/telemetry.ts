import { PassThrough } from 'node:stream';
import { createLog, loadConfig, startTelemetry, type Telemetry } from '../../../src/platform/index.ts';
import { type MetricsPage, readMetricsPage } from './metrics-page.ts';

export interface TestTelemetry extends AsyncDisposable {
  readonly telemetry: Telemetry;
  /** The metrics page, read by the rules of its format. */
  page(): Promise<MetricsPage>;
  pageText(): Promise<string>;
  /** Every log line so far. */
  logged(): string;
}

/** Telemetry of this process by settings of the test; a process has one at a time. */
export async function openTelemetry(environment: Record<string, string>): Promise<TestTelemetry> {
  const lines: string[] = [];
  const sink = new PassThrough().on('data', (chunk) => lines.push(String(chunk)));
  const telemetry = await startTelemetry(loadConfig(environment), createLog('debug', sink));
  const pageText = async () => (await fetch(telemetry.metricsUrl ?? '')).text();
  return {
    telemetry,
    pageText,
    page: async () => readMetricsPage(await pageText()),
    logged: () => lines.join(''),
    [Symbol.asyncDispose]: () => telemetry.stop(),
  };
}
