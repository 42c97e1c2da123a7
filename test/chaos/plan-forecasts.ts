import { randomUUID } from 'node:crypto';
import { type Random, uniformBetween } from '../support/platform/seeded-random.ts';

/** A forecast to create. */
export interface PlannedForecast {
  /** Identifies the stored forecasts of this request. */
  readonly title: string;
  readonly body: object;
  /** With a key, the request is repeated until it gets a response. */
  readonly idempotencyKey: string | null;
  /** null: it is not canceled */
  readonly cancelAfterMs: number | null;
  readonly dueMs: number;
}

/** Requests that are sent together, so that every worker is busy for a while. */
const BURST = 5;
const HORIZON = 6;

/** Plans forecasts: every other one has an idempotency key, every fifth is canceled. */
export function planForecasts(jobs: number, seconds: number, random: Random): PlannedForecast[] {
  return Array.from({ length: jobs }, (_, i) => {
    const title = `chaos ${i + 1}`;
    return {
      title,
      body: requestBody(title, random),
      idempotencyKey: i % 2 === 0 ? randomUUID() : null,
      cancelAfterMs: i % 5 === 3 ? uniformBetween(random, 0, 1_500) : null,
      dueMs: (Math.floor(i / BURST) * BURST * seconds * 1_000) / jobs,
    };
  });
}

function requestBody(title: string, random: Random): object {
  const rows = Math.round(uniformBetween(random, 30, 60));
  let value = uniformBetween(random, 50, 150);
  const points = Array.from({ length: rows }, (_, i) => {
    value += uniformBetween(random, -2, 3);
    return { timestamp: new Date(Date.UTC(2018, i, 1)).toISOString(), value: Math.round(value * 100) / 100 };
  });
  return { source: { type: 'inline', points }, horizon: HORIZON, models: ['theta', 'ets'], title };
}
