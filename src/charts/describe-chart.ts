import type { ChartData } from './chart-data.ts';
import { formatInstant } from './format-date.ts';
import { formatCount, formatPercent, formatValue } from './format-number.ts';

/** Describes a chart in words, for readers that cannot see it. */
export function describeForecast(data: ChartData, units: string, hasTimes: boolean, shownRows: number): string {
  const when = (time: number): string => formatInstant(time, hasTimes);
  const amount = (value: number): string => (units === '' ? formatValue(value) : `${formatValue(value)} ${units}`);
  return [describeHistory(data, shownRows, when, amount), describeFan(data, when, amount), describeOutcome(data)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

type Format = (value: number) => string;

function describeHistory({ times, values }: ChartData, shownRows: number, when: Format, amount: Format): string {
  const last = values.findLastIndex(Number.isFinite);
  if (last < 0) return times.length === 0 ? 'There is no history.' : 'No row of the history has a value.';
  const rows = times.length === 1 ? 'one row' : `${formatCount(times.length)} rows`;
  const range =
    times.length === 1 ? `at ${when(times[0] ?? 0)}` : `from ${when(times[0] ?? 0)} to ${when(times.at(-1) ?? 0)}`;
  const shown =
    shownRows < times.length ? ` The large part of the chart shows the last ${formatCount(shownRows)}.` : '';
  return `The history has ${rows} ${range}; its last value is ${amount(values[last] ?? 0)}.${shown}`;
}

function describeFan({ steps, bands, median, singles }: ChartData, when: Format, amount: Format): string {
  const last = steps.length - 1;
  if (last < 0) return 'There is no forecast.';
  const facts: string[] = [];
  const middle = median?.[last];
  if (middle !== undefined && Number.isFinite(middle)) facts.push(`the median is ${amount(middle)}`);
  const [widest] = bands;
  const [low, high] = [widest?.low[last], widest?.high[last]];
  if (widest !== undefined && low !== undefined && high !== undefined && Number.isFinite(high - low)) {
    facts.push(`the ${formatPercent(widest.share)} interval is from ${amount(low)} to ${amount(high)}`);
  }
  for (const { level, values } of singles.slice(0, 3)) {
    if (Number.isFinite(values[last]))
      facts.push(`the ${formatPercent(level)} quantile is ${amount(values[last] ?? 0)}`);
  }
  const count = last === 0 ? 'one step' : `${formatCount(last + 1)} steps`;
  const values = facts.length === 0 ? '' : ` At its last step, ${facts.join(', and ')}.`;
  return `The forecast has ${count}, to ${when(steps[last] ?? 0)}.${values}`;
}

function describeOutcome({ outcome, steps, bands }: ChartData): string {
  if (outcome.length === 0) return '';
  const stepOf = new Map(Array.from(steps, (time, step) => [time, step] as const));
  const scored = outcome.filter(({ replayed }) => !replayed);
  const replayed = outcome.length - scored.length;
  const sentences: string[] = [];
  if (scored.length > 0) {
    const [widest] = bands;
    const inside = scored.filter(({ timestamp, actual }) => {
      const step = stepOf.get(timestamp) ?? -1;
      return actual >= (widest?.low[step] ?? Number.NaN) && actual <= (widest?.high[step] ?? Number.NaN);
    });
    const range =
      widest === undefined ? '' : `; ${inside.length} of them inside the ${formatPercent(widest.share)} interval`;
    sentences.push(`The outcome of ${scored.length} of ${steps.length} steps is known${range}.`);
  }
  if (replayed > 0) {
    const values = replayed === 1 ? 'One value' : `${replayed} values`;
    sentences.push(`${values} of the outcome existed when the forecast was made.`);
  }
  return sentences.join(' ');
}
