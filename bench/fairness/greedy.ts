import { setTimeout as sleep } from 'node:timers/promises';
import { smallRequest } from '../jobs/small-request.ts';
import type { Caller } from './service.ts';

/** How many rows the file of the greedy account has. */
const FILE_ROWS = 100_000;
const FORECAST_ROWS = 2_000;
const DAY_MS = 86_400_000;

/** What the greedy account uses in its requests. */
export interface GreedyAssets {
  readonly workspaceId: string;
  readonly csvId: string;
  readonly forecastId: string;
}

/** Creates the workspace, the file and the forecast that the greedy account uses. */
export async function prepareGreedy({ send }: Caller): Promise<GreedyAssets> {
  const workspace = await send('/v1/workspaces', { name: 'greedy' });
  const workspaceId = String(workspace.data.id);
  const file = await send(`/v1/workspaces/${workspaceId}/csv?name=large.csv`, fileText(FILE_ROWS));
  const csvId = String(file.data.id);
  const forecast = await send('/v1/ensemble-forecasts', smallRequest(1));
  for (const { status } of [workspace, file, forecast]) {
    if (status >= 400) throw new Error(`A request of the preparation returned ${status}.`);
  }
  return { workspaceId, csvId, forecastId: String(forecast.data.forecast_id) };
}

function fileText(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `${new Date(row * 60_000).toISOString().slice(0, 16)},${100 + (row % 97) / 7}`,
  );
  return `time,value\n${lines.join('\n')}\n`;
}

/** Counts of the responses to one kind of request. */
export interface GreedyCounts {
  done: number;
  refused: number;
}

/**
 * Sends every expensive operation again and again until `isOver`: two at a time, as many as may run, and forecasts
 * beside them. A refused request is sent again after the wait that the response asks for.
 */
export async function beGreedy(
  { send }: Caller,
  { workspaceId, csvId, forecastId }: GreedyAssets,
  isOver: () => boolean,
): Promise<Record<string, GreedyCounts>> {
  const files = `/v1/workspaces/${workspaceId}/csv`;
  const source = {
    type: 'workspace_csv',
    workspace_id: workspaceId,
    csv_id: csvId,
    time_field: 'time',
    value_field: 'value',
  };
  const longForecast = {
    source: {
      type: 'inline',
      points: Array.from({ length: FORECAST_ROWS }, (_, day) => ({
        timestamp: new Date(day * DAY_MS).toISOString(),
        value: 100 + Math.sin(day / 7) + day / 500,
      })),
    },
    horizon: 30,
  };
  const conditions = { universe: 'all', all: [{ field: 'close', op: 'gt', value: 0 }] };
  const heavy: Requests = {
    scoreboard: () => send('/v1/scout/scoreboard?group_by=entity'),
    'file rows': () => send(`${files}/${csvId}?limit=1000`),
    'file download': () => send(`${files}/${csvId}/download`),
    'file upload': () => send(`${files}?name=more.csv`, fileText(5_000)),
    observations: () => send('/v1/market-search/observations', { source, limit: 1_000 }),
    preview: () => send('/v1/me/screener-alerts/preview', conditions),
    reproduce: () => send(`/v1/ensemble-forecasts/${forecastId}/reproduce`, {}),
    'refused forecast': () => send('/v1/ensemble-forecasts', { source, horizon: 5, cutoff: 1, models: ['none'] }),
  };
  const forecasts: Requests = {
    'long forecast': () => send('/v1/ensemble-forecasts', longForecast),
    'long forecast, canceled': async () => {
      const created = await send('/v1/ensemble-forecasts', longForecast);
      if (created.status !== 202) return created;
      await sleep(300);
      return send(`/v1/ensemble-forecasts/${created.data.forecast_id}/cancel`, {});
    },
  };
  const all = Object.entries({ ...heavy, ...forecasts });
  const counts = Object.fromEntries(all.map(([name]) => [name, { done: 0, refused: 0 }]));
  const repeat = async (requests: Requests): Promise<void> => {
    while (!isOver()) {
      for (const [name, request] of Object.entries(requests)) {
        const { status, retryAfter } = await request();
        const count = counts[name] as GreedyCounts;
        if (status < 400) count.done += 1;
        else count.refused += 1;
        for (let waited = 0; waited < 10 * retryAfter && !isOver(); waited += 1) await sleep(100);
        if (isOver()) return;
      }
    }
  };
  const reversed = Object.fromEntries(Object.entries(heavy).toReversed());
  await Promise.all([repeat(heavy), repeat(reversed), repeat(forecasts), repeat(forecasts)]);
  return counts;
}

type Requests = Readonly<Record<string, () => ReturnType<Caller['send']>>>;
