// Makes the forecasts of the examples on the start page again, with a running service, and stores them:
//
//   node scripts/launch.mjs scripts/write-examples.ts http://127.0.0.1:8080
//
// Run it when the engine changes its results. The browser test of the start page compares one of them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXAMPLES } from '../src/api/pages/console/start/examples.ts';

const SHOWN_ROWS: Readonly<Record<string, number>> = { apple: 84, employment: 48, co2: 72 };
const site = process.argv[2] ?? 'http://127.0.0.1:8080';

const guest = await fetch(`${site}/api/v1/guest-sessions`, { method: 'POST' });
const cookie = guest.headers.getSetCookie()[0]?.split(';')[0] ?? '';

// biome-ignore lint/suspicious/noExplicitAny: the replies have the form that the contract states
async function call(path: string, body?: object): Promise<any> {
  const response = await fetch(`${site}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { cookie, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const json: any = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(json));
  return json.data ?? json;
}

const forecasts: Record<string, object> = {};
for (const { id, source, horizon } of EXAMPLES) {
  const { rows } = await call('/v1/market-search/observations', { source, limit: SHOWN_ROWS[id] });
  let made = await call('/v1/ensemble-forecasts', { source, horizon });
  while (made.status === 'queued' || made.status === 'running') {
    await sleep(200);
    made = await call(`/v1/ensemble-forecasts/${made.forecast_id}`);
  }
  const quantile = (level: string) =>
    made.predictions.map(({ quantiles }: { quantiles: Record<string, number> }) => round(quantiles[level] ?? 0));
  forecasts[id] = {
    lastRow: rows.at(-1).timestamp.slice(0, 10),
    lastStep: made.predictions.at(-1).timestamp.slice(0, 10),
    history: rows.map(({ value }: { value: number }) => round(value)),
    median: quantile('0.5'),
    low: quantile('0.1'),
    high: quantile('0.9'),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}

writeFileSync(
  join(import.meta.dirname, '../src/api/pages/console/start/bundled-forecasts.ts'),
  `// Written by scripts/write-examples.ts.

/** The last rows of an example, and the forecast that this service made from all of its rows. */
export interface ExampleForecast {
  /** The date of the last row. */
  readonly lastRow: string;
  /** The date of the last predicted value. */
  readonly lastStep: string;
  readonly history: readonly number[];
  readonly median: readonly number[];
  /** The edges of the central interval that holds eight of ten outcomes. */
  readonly low: readonly number[];
  readonly high: readonly number[];
}

export const FORECASTS = ${JSON.stringify(forecasts, null, 2)} satisfies Record<string, ExampleForecast>;
`,
);
