import { createSeededRandom } from '../../platform/seeded-random.ts';
import { type PublishedRow, revise, walk } from './published-series.ts';
import { DAY, dayAt, endOf, HOUR } from './second-calendar.ts';
import { LAST_DATE } from './stocks.ts';

export type IndicatorName = 'PRICES' | 'CLAIMS' | 'RATE';

/** A published series with everything that was ever published for its rows. */
export interface Indicator {
  readonly title: string;
  readonly frequency: '1ME' | '1W-MON' | '1D';
  readonly rows: readonly PublishedRow[];
}

export type Economy = Readonly<Record<IndicatorName, Indicator>>;

/** The first date of which vintages exist. */
export const FIRST_VINTAGE = '2019-01-01';

/**
 * Creates the published series: months that are published two weeks after their end and revised twice, weeks that are
 * published on Thursday and revised a week later, and days that are published during the next day and never revised.
 */
export function createEconomy(seed: number): Economy {
  const random = createSeededRandom(seed + 20);
  const publish = (
    timestamps: readonly number[],
    kind: 'month' | 'week' | 'day',
    values: readonly number[],
    waits: readonly number[],
  ): PublishedRow[] =>
    timestamps.map((timestamp, i) => {
      const first = values[i] as number;
      const published = waits.map((wait) => endOf(kind, timestamp) + wait);
      return {
        timestamp,
        versions: published.map((publishedAt, version) => ({
          value: version === 0 ? first : revise(first, 0.01, random),
          publishedAt,
        })),
      };
    });
  const months: number[] = [];
  for (let month = 0; Date.UTC(2019, month + 1) <= dayAt(LAST_DATE); month++)
    months.push(Date.UTC(2019, month + 1) - DAY);
  const weeks = datesFrom('2023-12-04', 7 * DAY);
  const days = datesFrom('2024-10-01', DAY);
  return {
    PRICES: {
      title: 'Prices of the living market',
      frequency: '1ME',
      rows: publish(
        months,
        'month',
        walk(months.length, { seed: seed + 21, start: 300, spread: 0.004, season: { rows: 12, share: 0.01 } }),
        [13 * DAY + 12.5 * HOUR, 43 * DAY + 12.5 * HOUR, 73 * DAY + 12.5 * HOUR],
      ),
    },
    CLAIMS: {
      title: 'Claims of the living market',
      frequency: '1W-MON',
      rows: publish(weeks, 'week', walk(weeks.length, { seed: seed + 22, start: 220, spread: 0.03 }), [
        3 * DAY + 12.5 * HOUR,
        10 * DAY + 12.5 * HOUR,
      ]),
    },
    RATE: {
      title: 'Rate of the living market',
      frequency: '1D',
      rows: publish(
        days,
        'day',
        walk(days.length, { seed: seed + 23, start: 90, spread: 0.01, season: { rows: 7, share: 0.03 } }),
        [6 * HOUR],
      ),
    },
  };
}

function datesFrom(date: string, step: number): number[] {
  const dates: number[] = [];
  for (let day = dayAt(date); day <= dayAt(LAST_DATE); day += step) dates.push(day);
  return dates;
}
