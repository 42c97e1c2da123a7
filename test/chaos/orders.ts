import { randomUUID } from 'node:crypto';
import { between, type Random } from '../soak/random.ts';

/** A forecast to ask for. */
export interface Order {
  /** Its title: by it the stored forecasts of an order are found. */
  readonly title: string;
  readonly body: object;
  /** With one, the request is sent until it is answered. */
  readonly idempotencyKey: string | null;
  /** Null: it is left alone. */
  readonly cancelAfterMs: number | null;
  readonly dueMs: number;
}

/** Sent together, so that every worker is busy for a while after each burst. */
const BURST = 5;
const HORIZON = 6;

/** Every other order can be repeated, every fifth is canceled. */
export function makeOrders(jobs: number, seconds: number, random: Random): Order[] {
  return Array.from({ length: jobs }, (_, i) => {
    const title = `chaos ${i + 1}`;
    return {
      title,
      body: requestBody(title, random),
      idempotencyKey: i % 2 === 0 ? randomUUID() : null,
      cancelAfterMs: i % 5 === 3 ? between(random, 0, 1_500) : null,
      dueMs: (Math.floor(i / BURST) * BURST * seconds * 1_000) / jobs,
    };
  });
}

function requestBody(title: string, random: Random): object {
  const rows = Math.round(between(random, 30, 60));
  let value = between(random, 50, 150);
  const points = Array.from({ length: rows }, (_, i) => {
    value += between(random, -2, 3);
    return { timestamp: new Date(Date.UTC(2018, i, 1)).toISOString(), value: Math.round(value * 100) / 100 };
  });
  return { source: { type: 'inline', points }, horizon: HORIZON, models: ['theta', 'ets'], title };
}
