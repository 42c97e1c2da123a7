import type { Random } from '../../platform/seeded-random.ts';
import { FORECASTS } from '../forecast-service.ts';
import type { Market } from './market.ts';
import type { PlannedForecast } from './plan.ts';
import { DAY, endOf } from './second-calendar.ts';
import type { Forecaster } from './service.ts';

/** A point that an account sends as an actual value. */
interface Point {
  readonly timestamp: string;
  readonly value: number;
}

/** The account of a forecast of own rows, which sends the actual values once they are final, with mistakes. */
export interface Reporter {
  /** Sends what is due. Returns what the service did wrong. */
  report(now: number): Promise<string[]>;
}

export interface ReportedForecast {
  readonly id: string;
  readonly planned: PlannedForecast;
  readonly forecaster: Forecaster;
  /** The timestamps of its steps. */
  readonly timestamps: readonly string[];
}

export function createReporter(
  { rowsOf }: Market,
  { id, planned, forecaster, timestamps }: ReportedForecast,
  random: Random,
): Reporter {
  const truth = new Map(rowsOf('OWN').map(({ timestamp, versions }) => [timestamp, versions[0]?.value ?? Number.NaN]));
  const points = timestamps
    .map((timestamp): Point => ({ timestamp, value: truth.get(Date.parse(timestamp)) ?? Number.NaN }))
    // Some accounts never learn the second value.
    .filter((_, step) => planned.number % 3 > 0 || step !== 1);
  const finalAt = ({ timestamp }: Point) => endOf('day', Date.parse(timestamp)) + planned.settleDays * DAY;
  let sent = 0;

  async function send(points: readonly Point[], expected: number, what: string): Promise<string[]> {
    const { status, body } = await forecaster.request('POST', `${FORECASTS}/${id}/outcome`, { points });
    return status === expected ? [] : [`${planned.recipe} ${id}: ${what} was answered ${status}: ${body}`];
  }

  return {
    async report(now) {
      const next = points[sent];
      // Accounts do not send values as soon as they can.
      if (next === undefined || random() < 0.5) return [];
      if (finalAt(next) > now) return send([next], 422, 'a value before its final instant');
      const due = points.slice(sent).filter((point) => finalAt(point) <= now);
      const mistakes = await send(
        [{ ...next, timestamp: '2031-01-01T00:00:00Z' }],
        400,
        'a period outside the forecast',
      );
      const isMixed = due.length < points.length - sent;
      if (isMixed) mistakes.push(...(await send(points.slice(sent), 422, 'values of which some are early')));
      mistakes.push(...(await send(due, 200, 'the due values')));
      sent += due.length;
      const isOpen = sent < points.length;
      if (isOpen) mistakes.push(...(await send(due, 200, 'the same values again')));
      const other = due.map((point) => ({ ...point, value: point.value + 1 }));
      mistakes.push(...(await send(other, 409, 'other values for the same periods')));
      return mistakes;
    },
  };
}
