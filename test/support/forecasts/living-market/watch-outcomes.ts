import type { Random } from '../../platform/seeded-random.ts';
import { FORECASTS } from '../forecast-service.ts';
import type { MadeForecast } from './live-year.ts';
import { DAY, endOf } from './second-calendar.ts';

/** A row of an outcome as the API shows it. */
export interface OutcomeRow {
  readonly step: number;
  readonly timestamp: string;
  readonly actual: number;
  readonly quantiles: Readonly<Record<string, number>>;
  readonly replayed?: true;
  readonly revised_to?: number;
}

/** An outcome as the API shows it. */
export interface Outcome {
  readonly forecast_id: string;
  readonly status: 'waiting' | 'partial' | 'complete' | 'unavailable';
  readonly rows: readonly OutcomeRow[];
  readonly count: number;
  readonly mae: number | null;
  readonly average_wql: number | null;
  readonly coverage: Readonly<Record<string, number>>;
  readonly relative_wql: number | null;
  readonly revised: boolean;
  readonly scale: number | null;
}

/** Looks at outcomes while the year passes. */
export interface Watch {
  readonly violations: string[];
  /** Looks at some of the outcomes: no row is early, and no row that was seen before has changed or is gone. */
  look(made: readonly MadeForecast[], now: number): Promise<void>;
}

/** How many outcomes each look reads. */
const LOOKS = 1;

export function createWatch(random: Random): Watch {
  const violations: string[] = [];
  const seen = new Map<string, Outcome>();
  return {
    violations,
    async look(made, now) {
      for (let i = 0; i < LOOKS && made.length > 0; i++) {
        // Recent forecasts are looked at more often, because their outcomes arrive.
        const place = made.length - 1 - Math.floor(random() ** 2 * made.length);
        const { id, planned, forecaster } = made[place] as MadeForecast;
        const { status, data, body } = await forecaster.request<Outcome>('GET', `${FORECASTS}/${id}/outcome`);
        const complain = (what: string) => violations.push(`${planned.recipe} ${id}: ${what}`);
        if (status !== 200) {
          complain(`the outcome was answered ${status}: ${body}`);
          continue;
        }
        for (const { step, timestamp } of data.rows) {
          const finalAt = endOf(planned.kind, Date.parse(timestamp)) + planned.settleDays * DAY;
          if (finalAt > now) complain(`step ${step} was shown at ${new Date(now).toISOString()}, before it was final`);
        }
        const before = seen.get(id);
        for (const row of before?.rows ?? []) {
          const same = data.rows.find(({ step }) => step === row.step);
          const isSame =
            same?.actual === row.actual && same.timestamp === row.timestamp && same.replayed === row.replayed;
          if (!isSame) complain(`step ${row.step} has changed from ${row.actual} to ${same?.actual}`);
        }
        if (before?.status === 'complete' && (data.status !== 'complete' || data.average_wql !== before.average_wql)) {
          complain('a complete outcome has changed');
        }
        seen.set(id, data);
      }
    },
  };
}
