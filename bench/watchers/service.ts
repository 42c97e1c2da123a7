/** The process that `run.ts` measures: the API with forecasts that wait for a worker, which never comes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '../../test/support/api/http.ts';
import { create, openForecastService } from '../../test/support/forecasts/forecast-service.ts';
import { testedKind } from '../../test/support/platform/database.ts';

/** A forecast and a caller that may watch it. */
export interface Watched {
  readonly path: string;
  readonly credentials: Readonly<Record<string, string>>;
}

export interface Cost {
  readonly cpuSeconds: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
}

const callers = Number(process.argv[2]);
const service = await openForecastService(testedKind);
const port = await listenOnLoopback(service.app);
const watched: Watched[] = [];
for (let i = 0; i < callers; i += 1) {
  const caller = await service.account();
  const { data } = await create(caller);
  watched.push({ path: `/api/v1/ensemble-forecasts/${data.forecast_id}/events`, credentials: caller.credentials });
}

async function readCost(): Promise<Cost> {
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc?.();
    await sleep(100);
  }
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpuSeconds: (user + system) / 1e6, rssBytes: rss, heapBytes: heapUsed };
}

process.on('message', async (message) => {
  if (message === 'cost') process.send?.(await readCost());
  else process.exit();
});
process.send?.({ port, watched });
