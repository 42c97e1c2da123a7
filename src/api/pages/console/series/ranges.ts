import type { Frequency } from '../../../../calendar/index.ts';
import { seriesAddress } from '../source-address.ts';
import { choiceParams } from './page-choices.ts';
import { frequencyOf, type SeriesView } from './series-view.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;

interface Range {
  readonly label: string;
  readonly name: string;
  readonly length: number;
}

const range = (label: string, name: string, length: number): Range => ({ label, name, length });

const RANGES = {
  day: range('1d', 'The last day', DAY_MS),
  week: range('1w', 'The last week', 7 * DAY_MS),
  month: range('1m', 'The last month', YEAR_MS / 12),
  quarter: range('3m', 'The last 3 months', YEAR_MS / 4),
  half: range('6m', 'The last 6 months', YEAR_MS / 2),
  year: range('1y', 'The last year', YEAR_MS),
  five: range('5y', 'The last 5 years', 5 * YEAR_MS),
  ten: range('10y', 'The last 10 years', 10 * YEAR_MS),
  thirty: range('30y', 'The last 30 years', 30 * YEAR_MS),
} as const;

/** Returns the ranges that have enough rows to be looked at, and not too many. */
function rangesOf(frequency: Frequency | null): readonly Range[] {
  const { day, week, month, quarter, half, year, five, ten, thirty } = RANGES;
  if (frequency === '1min' || frequency === '5min') return [day, week, month];
  if (frequency === '15min' || frequency === '30min') return [week, month, quarter];
  if (frequency === '1h' || frequency === '4h') return [week, month, quarter, year];
  if (frequency === '1D') return [month, half, year, five];
  if (frequency === '1W-MON') return [half, year, five, ten];
  return frequency === '1YE' ? [ten, thirty] : [year, five, ten, thirty];
}

export interface RangeLink {
  readonly label: string;
  readonly name: string;
  readonly href: string;
  /** The first day of the range; null: all rows. */
  readonly from: string | null;
  readonly isCurrent: boolean;
}

/** Returns links to ranges that end with the last row. Ranges that are longer than the known span are left out. */
export function rangeLinks(view: SeriesView): RangeLink[] {
  const { source, description, choices, rows } = view;
  const last = rows?.timestamps.at(-1) ?? (description.span === null ? null : Date.parse(description.span.end));
  const start = description.span === null ? Number.NEGATIVE_INFINITY : Date.parse(description.span.start);
  const fitting = last === null ? [] : rangesOf(frequencyOf(view)).filter(({ length }) => last - length > start);
  const { texts } = choices;
  const links = fitting.map(({ label, name, length }) => {
    const from = new Date((last ?? 0) - length).toISOString().slice(0, 10);
    const href = seriesAddress(source, choiceParams(choices, { from, to: '', snapshot: '', limit: '' }));
    return { label, name, href, from, isCurrent: texts.from === from && texts.to === '' };
  });
  const limit = source.type === 'market' ? '50000' : '';
  const isAll = texts.from === '' && texts.to === '' && (rows?.truncated === false || texts.limit === '50000');
  return [
    ...links,
    {
      label: 'All',
      name: 'All rows',
      href: seriesAddress(source, choiceParams(choices, { from: '', to: '', snapshot: '', limit })),
      from: null,
      isCurrent: isAll,
    },
  ];
}
