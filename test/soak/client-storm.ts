import { runClientStorm } from '../client/storm.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import { openForecastService } from '../support/forecasts/forecast-service.ts';
import type { DatabaseKind } from '../support/platform/database.ts';
import type { Tally } from './kill-rounds.ts';

/** Runs forecasts with the typed client behind a proxy that disturbs requests, and checks that none is created twice. */
export async function runClientStorms(kind: DatabaseKind, runs: number, seed: number): Promise<Tally> {
  await using service = await openForecastService(kind, { worker: true });
  await listenOnLoopback(service.app);
  const { problems, applied } = await runClientStorm(service, { runs, seed, hasWorker: true });
  for (const problem of problems) console.log(`client on ${kind}: ${problem}`);
  console.log(`client on ${kind}: ${runs} forecasts, faults ${JSON.stringify(applied)}`);
  return problems.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
