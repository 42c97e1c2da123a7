import { MINUTE_MS, sessionHours, sessionsBetween } from '../../src/calendar/index.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';
import type { RawBar } from '../../src/market/index.ts';

/** Generates realistic one-minute bars for regular sessions up to 2023. */
export function minuteBars(count: number): RawBar[] {
  const random = createRandom(1);
  const times = [...sessionsBetween(Date.UTC(2022, 0, 3), Date.UTC(2023, 11, 29))].flatMap((day) => {
    const { open, close } = sessionHours(day);
    return Array.from({ length: (close - open) / MINUTE_MS }, (_, i) => open + i * MINUTE_MS);
  });
  let price = 100;
  const cents = (value: number): number => Math.round(value * 10_000) / 10_000;
  return times.slice(-count).map((timestamp) => {
    const open = cents(price);
    price *= 1 + (random.uniform() - 0.5) / 500;
    const close = cents(price);
    const high = cents(Math.max(open, close) * (1 + random.uniform() / 2000));
    const low = cents(Math.min(open, close) * (1 - random.uniform() / 2000));
    return { timestamp, open, high, low, close, volume: Math.floor(random.uniform() * 1e6) };
  });
}
