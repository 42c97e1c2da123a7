import { DuckDBInstance } from '@duckdb/node-api';
import type { WindowSeries } from '../published/read-sets.ts';

/** Flights in the United States from January to June 2001: the time, the origin and the destination of each. */
const FLIGHTS = 'node_modules/vega-datasets/data/flights-3m.parquet';
const FIRST_DAY = Date.UTC(2001, 0, 1);
const DAYS = 181;
const HOUR_MS = 3_600_000;

interface FlightGroup {
  readonly name: string;
  /** What is counted: the departures of an airport, or the flights of a route. */
  readonly by: 'airport' | 'route';
  readonly period: 'hourly' | 'daily';
  /** Ranks by the number of flights, and every how many of them is taken. */
  readonly ranks: readonly [from: number, to: number, step: number];
  readonly history: number;
  readonly horizon: number;
  /** How many periods before the end of June each window ends. */
  readonly ends: readonly number[];
}

const GROUPS: readonly FlightGroup[] = [
  {
    name: 'flights of large airports by hour',
    by: 'airport',
    period: 'hourly',
    ranks: [1, 40, 2],
    history: 900,
    horizon: 48,
    ends: [5, 1019, 2003],
  },
  {
    name: 'the same, 3,000 rows',
    by: 'airport',
    period: 'hourly',
    ranks: [1, 40, 4],
    history: 3000,
    horizon: 48,
    ends: [5, 611],
  },
  {
    name: 'flights of medium airports by hour',
    by: 'airport',
    period: 'hourly',
    ranks: [61, 120, 3],
    history: 900,
    horizon: 48,
    ends: [5, 1019],
  },
  {
    name: 'flights of small airports by hour',
    by: 'airport',
    period: 'hourly',
    ranks: [150, 210, 2],
    history: 900,
    horizon: 48,
    ends: [5, 1019],
  },
  {
    name: 'flights of airports by day',
    by: 'airport',
    period: 'daily',
    ranks: [1, 200, 6],
    history: 140,
    horizon: 14,
    ends: [0, 20],
  },
  {
    name: 'flights of rare routes by day',
    by: 'route',
    period: 'daily',
    ranks: [3120, 3360, 2],
    history: 140,
    horizon: 14,
    ends: [0, 20],
  },
];

/** Returns the groups of flights, each with its windows. */
export async function flightGroups(): Promise<Map<string, WindowSeries[]>> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const groups = new Map<string, WindowSeries[]>();
  for (const group of GROUPS) {
    const key = group.by === 'airport' ? 'origin' : `origin || '-' || destination`;
    const [from, to, step] = group.ranks;
    const hours = group.period === 'hourly' ? 1 : 24;
    const reader = await connection.runAndReadAll(`
      with flights as (select ${key} as name, epoch_ms(date) as instant from read_parquet('${FLIGHTS}')),
      ranked as (select name, row_number() over (order by count(*) desc, name) as rank from flights group by name)
      select name, floor((instant - ${FIRST_DAY}) / ${hours * HOUR_MS})::int as period, count(*)::int as flights
      from flights join ranked using (name)
      where rank between ${from} and ${to} and (rank - ${from}) % ${step} = 0
      group by all order by min(rank), period`);
    const counts = new Map<string, Float64Array>();
    for (const [name, period, flights] of reader.getRowsJson() as [string, number, number][]) {
      const values = counts.get(name) ?? new Float64Array((DAYS * 24) / hours);
      counts.set(name, values);
      if (period >= 0 && period < values.length) values[period] = flights;
    }
    groups.set(
      group.name,
      [...counts].flatMap(([name, values]) => group.ends.map((end) => cutWindow(group, name, values, hours, end))),
    );
  }
  return groups;
}

function cutWindow(
  { period, history, horizon }: FlightGroup,
  id: string,
  values: Float64Array,
  hours: number,
  end: number,
): WindowSeries {
  const origin = values.length - end - horizon;
  const start = Math.max(0, origin - history);
  return {
    id: `${id}, ${end} before the end`,
    group: period,
    season: period === 'hourly' ? 24 : 7,
    horizon,
    history: values.subarray(start, origin),
    actuals: values.subarray(origin, origin + horizon),
    window: 1,
    first: new Date(FIRST_DAY + start * hours * HOUR_MS).toISOString(),
  };
}
