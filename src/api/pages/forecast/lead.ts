import type { ForecastFormats, Prediction } from '../../../wording/index.ts';
import { formatShare } from '../format.ts';
import { type Html, html } from '../html.ts';

type Sentence = readonly [before: string, value: string, after: string];

/** Returns the last step of a forecast in sentences, as text. */
export function describeLastStep(formats: ForecastFormats, last: Prediction | undefined, units?: string): string {
  return sentencesOf(formats, last, units)
    .map(([before, value, after]) => `${before}${value}${after}`)
    .join(' ');
}

/** Renders the same sentences with their numbers emphasized. */
export function renderLastStep(formats: ForecastFormats, last: Prediction | undefined, units?: string): Html[] {
  return sentencesOf(formats, last, units).map(
    ([before, value, after]) => html`${before}<strong>${value}</strong>${after} `,
  );
}

function sentencesOf(
  { levels, formatValue, formatPeriod }: ForecastFormats,
  last: Prediction | undefined,
  units: string | undefined,
): Sentence[] {
  if (last === undefined) return [];
  const { median, interval } = levels;
  const value = (key: string) => formatValue(Number(last.quantiles[key]));
  const sentences: Sentence[] = [];
  if (median !== null) {
    const unit = units === undefined ? '' : ` ${units}`;
    sentences.push([
      `For ${formatPeriod(new Date(last.timestamp))}, the middle of the forecast is `,
      `${value(median)}${unit}`,
      '.',
    ]);
  }
  if (interval !== null) {
    const range = `${value(interval.low)} and ${value(interval.high)}`;
    sentences.push(['The value lies between ', range, ` with a probability of ${formatShare(interval.share)}.`]);
  }
  return sentences;
}
