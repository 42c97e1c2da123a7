import { parseTimeframe } from '../../../../calendar/index.ts';
import { HISTORY_LIMITS, type MarketReference } from '../../../../contract/index.ts';
import { formatInteger } from '../../format.ts';
import { hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderSelect, renderText } from '../fields.ts';
import { seriesAddress, sourceParams } from '../source-address.ts';
import { choiceParams } from './page-choices.ts';
import { rangeLinks } from './ranges.ts';
import { renderDimensions } from './render-dimensions.ts';
import { hasCandles, isIntraday, type SeriesView } from './series-view.ts';
import { ADJUSTMENT_WORDS, nameInterval, SESSION_WORDS, SIDE_WORDS } from './words.ts';

/** Renders the links above the chart: intervals, ranges and scale. Each is an address, so they work without a script. */
export function renderToolbar(view: SeriesView): Html {
  const { source, choices } = view;
  const scale = (text: string, label: string) => {
    const isCurrent = choices.isLog === (text === 'log');
    const href = seriesAddress(source, choiceParams(choices, { scale: text }));
    return html`<li><a href="${href}" data-scale="${text === 'log' ? 'log' : 'linear'}"${isCurrent && html` aria-current="true"`}>${label}</a></li>`;
  };
  return html`<div class="chart-tools">
${source.type === 'market' && renderIntervals(view, source)}
<nav aria-label="Range"><ul class="segments" data-ranges>${rangeLinks(view).map(
    ({ label, name, href, from, isCurrent }) =>
      html`<li><a href="${href}" title="${name}" data-from="${from ?? 'all'}"${isCurrent && html` aria-current="true"`}>${label}</a></li>`,
  )}</ul></nav>
<nav aria-label="Scale"><ul class="segments" data-scales>${scale('', 'Linear')}${scale('log', 'Log')}</ul></nav>
</div>`;
}

function renderIntervals({ description, choices }: SeriesView, source: MarketReference): Html {
  const current = parseTimeframe(source.timeframe);
  const offered = description.timeframes ?? [source.timeframe];
  return html`<nav aria-label="Interval"><ul class="segments">${offered.map((timeframe) => {
    const frequency = parseTimeframe(timeframe);
    // Another interval has other bars, so neither the range nor the snapshot is kept.
    const changed = choiceParams(choices, { from: '', to: '', limit: '', snapshot: '' });
    const href = seriesAddress({ ...source, timeframe: timeframe as MarketReference['timeframe'] }, changed);
    return html`<li><a href="${href}"${frequency === current && html` aria-current="true"`}>${
      frequency === null ? timeframe : nameInterval(frequency)
    }</a></li>`;
  })}</ul></nav>`;
}

/** Renders the form with all other choices that the source has. It is a GET form: the address holds what it chooses. */
export function renderChoices(view: SeriesView): Html {
  const { source, description, choices, errors } = view;
  // Rows are chosen after the series.
  const fields = [...sourceFields(view), ...(view.missing.length > 0 ? [] : rowFields(view))];
  const named = new Set(fields.map(({ name }) => name));
  const dimensions = description.dimensions.map(({ field }) => `dim.${field}`);
  const kept = [...sourceParams(source)].filter(
    ([name]) => !named.has(name) && !(source.type === 'economic_series' && dimensions.includes(name)),
  );
  return html`<form class="stack series-form" method="get" action="/series" data-choices>
${kept.map(([name, value]) => hidden(name, value))}${choices.isLog && hidden('scale', 'log')}
<div class="fields">
${source.type === 'economic_series' && renderDimensions(view, errors)}
${fields.map(({ markup }) => markup)}
</div>
<p class="actions"><button type="submit">Show</button></p>
</form>`;
}

interface NamedField {
  readonly name: string;
  readonly markup: Html;
}

/** Returns the fields of the source that its description offers a choice for. */
function sourceFields({ source, description, errors }: SeriesView): NamedField[] {
  const fields: NamedField[] = [];
  const pick = (name: string, label: string, options: readonly Option[], value: string, hint?: string) => {
    if (options.length > 1) fields.push({ name, markup: renderSelect({ name, label, options, value, hint }, errors) });
  };
  const words = (values: readonly string[] | undefined, names: Readonly<Record<string, string>>): Option[] =>
    (values ?? []).map((value) => ({ value, label: names[value] ?? value }));
  const values = description.values.map(({ field, label, units }) => ({
    value: field,
    label: units === '' || label.includes(units) ? label : `${label} (${units})`,
  }));
  if (source.type === 'market') {
    const sides = (description.price_sides ?? []).filter((side) => side !== 'trade');
    const adjustments = words(description.adjustments, ADJUSTMENT_WORDS);
    // Links above the chart offer the intervals; a wrong one needs a field that its error belongs to.
    if (errors.timeframe !== undefined)
      pick('timeframe', 'Interval', (description.timeframes ?? []).map(intervalOption), source.timeframe);
    pick('value_field', 'Display', [{ value: '', label: 'Candles' }, ...values], source.value_field ?? '');
    pick('adjustment', 'Prices adjusted', adjustments, source.adjustment ?? 'split');
    // Longer bars cover the regular session only.
    if (isIntraday({ rows: null, description: { ...description, frequency: source.timeframe } }))
      pick('session', 'Session', words(description.sessions, SESSION_WORDS), source.session ?? 'regular');
    pick('price_side', 'Side', words(sides, SIDE_WORDS), source.price_side ?? sides[0] ?? '');
    return fields;
  }
  pick('value_field', 'Value', values, source.value_field ?? '');
  if (source.type === 'economic_series' && description.vintages === true) {
    const field = {
      name: 'vintage',
      label: 'As known on',
      value: source.vintage ?? '',
      min: description.first_vintage,
    };
    const hint = 'Empty: the rows as they are known today.';
    fields.push({ name: 'vintage', markup: renderText({ ...field, type: 'date', hint }, errors) });
  }
  return fields;
}

function intervalOption(timeframe: string): Option {
  const frequency = parseTimeframe(timeframe);
  return { value: timeframe, label: frequency === null ? timeframe : nameInterval(frequency) };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Returns the fields that choose rows. */
function rowFields(view: SeriesView): NamedField[] {
  const { source, choices, errors } = view;
  const { texts } = choices;
  const counts =
    source.type === 'market' ? HISTORY_LIMITS.filter((limit) => limit !== 1500) : [100, 500, 2_000, 10_000];
  const first = source.type === 'market' ? [] : [{ value: '', label: 'All' }];
  const options = [
    ...first,
    ...counts.map((limit) => ({ value: String(limit), label: `Latest ${formatInteger(limit)}` })),
  ];
  const limit = texts.limit === '' && source.type === 'market' ? '500' : texts.limit;
  const hasTimes = isIntraday(view);
  const range = (name: 'from' | 'to', label: string) => {
    // A date field can show neither an instant nor a text that is not a date.
    const type = hasTimes || errors[name] !== undefined ? 'text' : 'date';
    const value = type === 'date' ? texts[name].slice(0, 10) : texts[name];
    const hint = hasTimes ? 'UTC, such as 2024-03-31T14:30Z' : undefined;
    return { name, markup: renderText({ name, label, type, value, hint }, errors) };
  };
  return [
    range('from', 'From'),
    range('to', 'To'),
    {
      name: 'limit',
      markup: renderSelect(
        { name: 'limit', label: hasCandles(view) ? 'Bars to read' : 'Rows to read', options, value: limit },
        errors,
      ),
    },
  ];
}
