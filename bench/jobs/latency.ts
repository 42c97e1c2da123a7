import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../test/support/cli/service.ts';
import { percentile } from '../api/statistics.ts';
import {
  type Kind,
  type ServiceUnderTest,
  startServiceUnderTest,
  timeReads,
  untilCompleted,
} from './service-under-test.ts';
import { smallRequest } from './small-request.ts';

export interface LatencyFigures {
  readonly p50: number;
  readonly p99: number;
  /** The delay of the event loop of the service's main thread. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number };
}

const IDLE_MS = 3_000;
const PRELOAD = fileURLToPath(new URL('./report-event-loop-delay.ts', import.meta.url));
/** Enough to keep all cores busy for a while. */
const BUSY = { rows: 240, models: ['theta', 'ets', 'arima'] };

/** Measures how long requests take while the service is idle and while it runs forecasts. */
export async function measureLatency(
  kind: Kind,
  forecasts: number,
): Promise<{ readonly idle: LatencyFigures; readonly during: LatencyFigures; readonly seconds: number }> {
  const folder = temporaryFolder();
  const file = join(folder, 'event-loop.json');
  try {
    await using tested = await startServiceUnderTest(kind, {
      environment: { BENCH_EVENT_LOOP_FILE: file },
      nodeFlags: ['--import', PRELOAD],
    });
    const { forecast_id: first } = await tested.call('/ensemble-forecasts', smallRequest(0, BUSY));
    await untilCompleted(tested, String(first));
    const idle = await watch(tested, file, sleep(IDLE_MS));
    const began = performance.now();
    const during = await watch(tested, file, runAll(tested, forecasts));
    return { idle, during, seconds: (performance.now() - began) / 1_000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(tested: ServiceUnderTest, count: number): Promise<void> {
  const bodies = Array.from({ length: count }, (_, i) => smallRequest(i + 1, BUSY));
  const started = await Promise.all(bodies.map((body) => tested.call('/ensemble-forecasts', body)));
  // One after the other, so that few of these requests run at the same time as the measured ones.
  for (const { forecast_id } of started) {
    await untilCompleted(tested, String(forecast_id));
  }
}

/** Measures requests, sent one after the other, until `work` is done. */
async function watch(tested: ServiceUnderTest, file: string, work: Promise<void>): Promise<LatencyFigures> {
  writeFileSync(`${file}.reset`, '');
  const times = await timeReads(tested, work, 5);
  await sleep(150);
  const sorted = Float64Array.from(times).sort();
  const delay = JSON.parse(readFileSync(file, 'utf8')) as LatencyFigures['delay'];
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), delay };
}
