import { createDbnomicsAdapter } from '../../../src/datasets/providers/dbnomics/dbnomics-adapter.ts';
import type { AdapterScene } from './adapter-scene.ts';
import {
  DAILY,
  FRIDAYS,
  HALF_YEARLY,
  MONTH_ENDS,
  MONTHLY,
  PUBLISHERS,
  QUARTER_ENDS,
  QUARTERLY,
  sceneSeries,
  WEEKLY,
  YEARLY,
} from './dbnomics-data.ts';
import { startDbnomicsServer } from './dbnomics-server.ts';

const QUARTERLY_FLAGS = { '2023-12-31': 'P', '2024-03-31': 'P', '2024-06-30': 'P', '2024-09-30': 'P' };

/** Starts a server with series of all frequencies, and creates the adapter of DBnomics for it. */
export async function createDbnomicsScene(): Promise<AdapterScene> {
  const server = await startDbnomicsServer({ publishers: PUBLISHERS });
  const adapter = createDbnomicsAdapter({ url: `${server.url}/v22`, requestsPerMinute: 600 });
  return {
    adapter,
    server,
    series: [
      sceneSeries('ECB/ICP', '1ME', MONTHLY, {
        '2024-06-30': 'E',
        '2024-12-31': 'PE',
        '2025-01-31': 'P',
        '2025-02-28': 'P',
      }),
      sceneSeries('ECB/ICP', '1QE', QUARTERLY, QUARTERLY_FLAGS),
      sceneSeries(`ECB/ICP/${QUARTERLY.code}`, '1QE', QUARTERLY, QUARTERLY_FLAGS),
      sceneSeries('ECB/ICP', '1D', DAILY),
      sceneSeries('ECB/ICP', '1ME', MONTH_ENDS),
      sceneSeries('AMECO/ZUTN', '1YE', YEARLY),
      sceneSeries(`AMECO/ZUTN/${YEARLY.code}`, '1YE', YEARLY),
      sceneSeries('STATES/claims', '1W-MON', WEEKLY),
      sceneSeries(`STATES/claims/${FRIDAYS.code}`, '1W-MON', FRIDAYS),
      sceneSeries(`STATES/claims/${QUARTER_ENDS.code}`, '1QE', QUARTER_ENDS),
    ],
    unsupported: [
      { selection: { seriesId: 'ECB/ICP', dimensions: HALF_YEARLY.dimensions }, name: 'half-yearly' },
      { selection: { seriesId: 'ECB/LOOSE/two months/1', dimensions: {} }, name: 'two-monthly' },
    ],
    unknownId: 'ECB/NOTHING',
    emptySelection: { seriesId: 'ECB/ICP', dimensions: { ...MONTHLY.dimensions, REF_AREA: 'DE' } },
    key: null,
    listed: ['AMECO/ZUTN', 'ECB/ICP', 'ECB/LOOSE', 'ECB/WEO:2025-04', 'STATES/claims'],
    readReply: readMonths,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Reads the months of the first series. Days are accepted in a series that states its frequency. */
function readMonths(text: string): ReadonlyMap<string, number> | null {
  try {
    const reply = JSON.parse(text);
    const [doc] = reply.series.docs;
    const frequency = doc['@frequency'] ?? null;
    const lists: unknown[][] = [doc.period, doc.value, ...(doc.period_start_day ? [doc.period_start_day] : [])];
    const isValid =
      reply.series.docs.length === 1 &&
      (frequency === 'monthly' || frequency === null) &&
      lists.every((list) => Array.isArray(list) && list.length === doc.period.length);
    if (!isValid) return null;
    const rows = new Map<string, number>();
    for (const [index, period] of doc.period.entries()) {
      const isMonth = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(period);
      const day = `${period}${isMonth ? '-01' : ''}`;
      const instant = Date.parse(`${day}T00:00:00Z`);
      const isDay = new Date(instant).toISOString().slice(0, 10) === day;
      if (!isDay || (!isMonth && frequency === null)) return null;
      const year = Number(day.slice(0, 4));
      const date = new Date(Date.UTC(year, Number(day.slice(5, 7)), 0)).toISOString().slice(0, 10);
      const value = doc.value[index] === 'NA' || doc.value[index] === null ? Number.NaN : doc.value[index];
      if (rows.has(date) || typeof value !== 'number' || Math.abs(value) === Number.POSITIVE_INFINITY) return null;
      if (year >= 1800 && year <= 2200) rows.set(date, value);
    }
    return rows;
  } catch {
    return null;
  }
}
