import { formatShare, periodFormat, valueFormat } from '../../../src/wording/format.ts';
import { formatLocal, isUtc } from '../local-time.ts';
import { bandsOf, type Columns, type FanData, medianOf } from './fan-data.ts';

/** One value under the cursor. */
export interface Reading {
  readonly name: string;
  readonly value: string;
  /** The class of the sign that the chart draws it with, so that the readings are also its legend. */
  readonly mark: string;
}

export interface Readings {
  readonly when: string;
  readonly values: readonly Reading[];
}

const HISTORY = { name: 'History', mark: 'line history' } as const;
const ACTUAL = { name: 'Actual', mark: 'line actual' } as const;
const KNOWN = { name: 'Known when made', mark: 'known' } as const;

/** Returns the readings with an entry for each line of the chart that has no value in their row. */
export function withLegend({ values }: Readings, { history, outcome }: FanData): Reading[] {
  const lines = [
    ...(history.values.length > 0 ? [HISTORY] : []),
    ...(outcome.some(({ replayed }) => !replayed) ? [ACTUAL] : []),
    ...(outcome.some(({ replayed }) => replayed) ? [KNOWN] : []),
  ];
  const missing = lines.filter(({ name }) => values.every((one) => one.name !== name));
  return [...values, ...missing.map((line) => ({ ...line, value: '–' }))];
}

/** Returns the function that reads a row of the chart for people. */
export function readerOf(data: FanData): (columns: Columns, row: number, isShown: readonly boolean[]) => Readings {
  // Only the predictions decide the decimals, as on the rest of the page. The range of the history would hide digits.
  const format = valueFormat(data.quantiles.flatMap((values) => values.filter((value) => value !== null)));
  const formatPeriod = periodFormat(data.frequency as Parameters<typeof periodFormat>[0]);
  const isIntraday = /min|h$/.test(data.frequency);
  const bands = bandsOf(data.levels);
  const median = medianOf(data.levels);
  const paired = new Set(bands.flatMap(({ low, high }) => [low, high]));
  return (columns, row, isShown) => {
    const time = columns.times[row] ?? 0;
    const day = formatPeriod(new Date(time * 1_000));
    const when = isIntraday && !isUtc ? `${day} (${formatLocal(time * 1_000)})` : day;
    if (row < columns.past) {
      const value = columns.history[row] ?? null;
      return {
        when,
        values: [{ ...HISTORY, value: value === null ? 'missing' : format(value) }],
      };
    }
    const step = row - columns.past;
    const at = (index: number): string => format(data.quantiles[index]?.[step] ?? Number.NaN);
    const outcome = data.outcome.find((one) => one.step === step + 1);
    const values: Reading[] = [];
    if (median >= 0) values.push({ name: 'Middle', value: at(median), mark: 'line median' });
    for (const [index, { share, low, high }] of bands.entries())
      values.push({
        name: `${formatShare(share)} interval`,
        value: `${at(low)} to ${at(high)}`,
        mark: index === 0 ? 'band' : 'band inner',
      });
    for (const [index, level] of data.levels.entries()) {
      if (index !== median && !paired.has(index))
        values.push({ name: `${formatShare(Number(level))} quantile`, value: at(index), mark: 'line thin' });
    }
    if (outcome !== undefined)
      values.push({
        name: outcome.replayed ? KNOWN.name : ACTUAL.name,
        value: format(outcome.actual),
        mark: outcome.replayed ? KNOWN.mark : ACTUAL.mark,
      });
    for (const [index, { name, values: own }] of data.members.entries()) {
      if (isShown[index]) values.push({ name, value: format(own[step] ?? Number.NaN), mark: `line m${index}` });
    }
    return { when, values };
  };
}
