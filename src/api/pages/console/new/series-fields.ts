import { PERIOD_WORDS } from '../../../../calendar/index.ts';
import type { Operations, Output } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import { hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { type Option, renderSelect, renderText } from '../fields.ts';
import { sourceParams } from '../source-address.ts';

type Description = Output<Operations['describeSeries']>;

const ADJUSTMENTS: Readonly<Record<string, string>> = {
  raw: 'As traded',
  split: 'Adjusted for splits',
  all: 'Adjusted for splits and dividends',
};
const SESSIONS: Readonly<Record<string, string>> = { regular: 'Regular hours', extended: 'Extended hours' };
const SIDES: Readonly<Record<string, string>> = { trade: 'Trades', bid: 'Bid prices', ask: 'Ask prices' };

/** The fields of a series in the form. */
interface SeriesFields {
  /** Those that can be chosen: interval, value, hours, dimensions. */
  readonly shown: Html | false;
  /** The others, which are sent as the address has them. */
  readonly kept: readonly (Html | null)[];
}

/** Renders the fields of a series. */
export function renderSeriesFields(source: object, described: Description, errors: FieldErrors): SeriesFields {
  const params = sourceParams(source as Parameters<typeof sourceParams>[0]);
  const shown: Html[] = [];
  const take = (name: string): string | undefined => {
    const value = params.get(name) ?? undefined;
    params.delete(name);
    return value;
  };
  const select = (name: string, label: string, hint: string, options: readonly Option[], usual?: string): void => {
    if (options.length > 1)
      shown.push(renderSelect({ name, label, hint, options, value: take(name) ?? usual }, errors));
  };
  const { timeframes = [], adjustments = [], sessions = [], price_sides = [], values, dimensions } = described;
  select(
    'timeframe',
    'Interval',
    'The period of one row, and of one step of the forecast.',
    timeframes.map(nameInterval),
  );
  const fields = values.map(({ field, label }) => ({ value: field, label }));
  select('value_field', 'Value', 'The column of the series that is forecast.', fields, usualValue(described));
  select(
    'adjustment',
    'Adjustment',
    'Whether earlier prices are changed after splits and dividends.',
    adjustments.map(nameBy(ADJUSTMENTS)),
    'split',
  );
  select(
    'session',
    'Hours',
    'The hours of the exchange that the rows cover.',
    sessions.map(nameBy(SESSIONS)),
    'regular',
  );
  const sides = price_sides.filter((side) => side !== 'trade');
  select(
    'price_side',
    'Price side',
    'Whether the prices are those of buyers or of sellers.',
    sides.map(nameBy(SIDES)),
    sides[0],
  );
  for (const { field, label, values: options, required } of dimensions) {
    const name = `dim.${field}`;
    const hint = required ? 'The data set has one series for each choice.' : 'The choice is optional.';
    const value = take(name);
    if (options === undefined) shown.push(renderText({ name, label, hint, value }, errors));
    else {
      const none = { value: '', label: required ? 'Choose…' : 'Any' };
      shown.push(renderSelect({ name, label, hint, options: [none, ...options], value }, errors));
    }
  }
  return {
    shown: shown.length > 0 && html`<div class="fields">${shown}</div>`,
    kept: [...params].map(([name, value]) => hidden(name, value)),
  };
}

/** Returns the value field that is forecast without a choice. */
export function usualValue({ values }: Pick<Description, 'values'>): string | undefined {
  return (values.find(({ field }) => field === 'close') ?? values[0])?.field;
}

function nameInterval(timeframe: string): Option {
  const words = PERIOD_WORDS[timeframe as keyof typeof PERIOD_WORDS];
  if (words === undefined) return { value: timeframe, label: timeframe };
  const { adverb } = words;
  const label = adverb.endsWith(' apart') ? `every ${adverb.slice(0, -' apart'.length)}` : adverb;
  return { value: timeframe, label: `${label.charAt(0).toUpperCase()}${label.slice(1)}`.replace('Every one', 'Every') };
}

function nameBy(words: Readonly<Record<string, string>>): (value: string) => Option {
  return (value) => ({ value, label: words[value] ?? value });
}
