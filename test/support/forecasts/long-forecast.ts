import { until } from '../cli/stop-in-flight.ts';
import { dailyPoints, FORECASTS, type Started } from './forecast-service.ts';

/** Creates a forecast that runs for many seconds, and waits until it runs. */
export async function startLongForecast(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ source: { type: 'inline', points: dailyPoints(5_000) }, horizon: 30 });
  const created = await fetch(`${url}/api${FORECASTS}`, { method: 'POST', headers, body });
  const { data } = (await created.json()) as { data: Started };
  await until(async () => {
    const read = await fetch(`${url}/api${FORECASTS}/${data.forecast_id}`, { headers });
    return ((await read.json()) as { data: Started }).data.status === 'running';
  }, 60_000);
}
