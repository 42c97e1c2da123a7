import assert from 'node:assert/strict';
import { test } from 'node:test';
import { published } from '../../../test/support/market/search-entries.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import { createSeriesIndex } from './series-index.ts';

const LABELS: Readonly<Record<string, string>> = {
  FRA: 'France',
  DEU: 'Germany',
  USA: 'United States',
  EMU: 'Euro area',
  KOR: 'Korea, Rep.',
  PRK: "Korea, Dem. People's Rep.",
  CIV: "Cote d'Ivoire",
  SDN: 'Sudan',
  SSD: 'South Sudan',
  PER: 'Peru',
  WLD: 'World',
  ARB: 'Arab World',
  XY: 'Twin',
  XYZ: 'Twin',
  U2: 'Second area',
};
const members = { field: 'country', values: Object.entries(LABELS).map(([value, label]) => ({ value, label })) };

function indicator(id: string, title: string, keywords: readonly string[] = []): ListedSeries {
  const source = { type: 'economic_series' as const, provider: 'worldbank', series_id: id };
  return { ...published(id, title, keywords), provider: 'worldbank', source, members };
}

const UNEMPLOYMENT = indicator('SL.UEM', 'Unemployment, total (% of labor force)', ['World Development Indicators']);
const PER_CAPITA = indicator('GDP.PCAP', 'GDP per capita');
const EXPORTS = indicator('TX.ARB', 'Exports to the Arab World');
const WITH_COUNTRY = published('LRHU', 'Unemployment rate, France');
const index = createSeriesIndex([UNEMPLOYMENT, PER_CAPITA, EXPORTS, WITH_COUNTRY, published('X', 'Paris, rents')]);

function find(query: string): readonly ListedSeries[] {
  return index.search({ query, limit: 9, offset: 0 }).results;
}

function chosen(query: string, entry = UNEMPLOYMENT): string | undefined {
  const id = (source: ListedSeries['source']) => source.type === 'economic_series' && source.series_id;
  const result = find(query).find(({ source }) => id(source) === id(entry.source));
  assert.ok(result?.source.type === 'economic_series', query);
  const value = result.source.dimensions?.country;
  const label = LABELS[value ?? ''];
  const expected = value === undefined ? entry : { ...entry, title: `${entry.title} – ${label}` };
  assert.deepEqual({ ...result, source: entry.source }, expected);
  if (value !== undefined) assert.deepEqual(result.source, { ...entry.source, dimensions: { country: value } });
  return value;
}

test('finds an entry by words and values of its members', () => {
  for (const query of [
    'unemployment france',
    'fra unemployment',
    'united unemployment',
    'unemployment divoire',
    'rep',
  ]) {
    assert.ok(find(query).length > 0, query);
    chosen(query);
  }
  assert.deepEqual(find('unemployment mars').includes(UNEMPLOYMENT), true, 'by one of the words');
  assert.deepEqual(find('franc'), [WITH_COUNTRY], 'neither by the beginning of a word nor with typing errors');
  assert.deepEqual(find('germani'), []);
});

test('finds no series by a country alone if only some words match', () => {
  assert.deepEqual(
    find('inflation france unemployment').map(({ title }) => title),
    ['Unemployment rate, France', `${UNEMPLOYMENT.title} – France`],
    'not the gross domestic product of France',
  );
});

test('ranks a country in a title before a country among the members', () => {
  assert.deepEqual(
    find('unemployment france').map(({ title }) => title),
    ['Unemployment rate, France', `${UNEMPLOYMENT.title} – France`],
  );
  assert.deepEqual(
    find('france')
      .map(({ title }) => title)
      .slice(0, 2),
    ['Unemployment rate, France', `${PER_CAPITA.title} – France`],
  );
});

test('matches members of entries with other members independently', () => {
  const regions = { field: 'geo', values: [{ value: 'FR1', label: 'Île-de-France' }] };
  const regional = { ...published('reg', 'Unemployment by region'), members: regions };
  const both = createSeriesIndex([
    UNEMPLOYMENT,
    regional,
    { ...regional, source: WITH_COUNTRY.source, title: 'Other' },
  ]);
  const search = (query: string) => both.search({ query, limit: 9, offset: 0 });
  assert.equal(search('germany').total, 1);
  assert.equal(search('ile').total, 2);
  assert.equal(search('france').total, 3);
  const [first] = search('unemployment ile de france').results;
  assert.deepEqual(first?.source, { ...regional.source, dimensions: { geo: 'FR1' } });
  assert.equal(search('unemployment fr1').total, 1);
});

for (const [query, value] of [
  ['unemployment france', 'FRA'],
  ['FRANCE: Unemployment', 'FRA'],
  ['euro area unemployment', 'EMU'],
  ['unemployment in the united states', 'USA'],
  ['unemployment Korea, Rep.', 'KOR'],
  ['korea rep unemployment', 'KOR'],
  ["unemployment korea dem people's rep", 'PRK'],
  ['unemployment Côte d’Ivoire', 'CIV'],
  ['south sudan unemployment', 'SSD'],
  ['sudan unemployment', 'SDN'],
  ['unemployment FRA', 'FRA'],
  ['unemployment FRA france', 'FRA'],
  ['unemployment world', 'WLD'],
  ['arab world unemployment', 'ARB'],
] as const) {
  test(`"${query}" presets ${value}`, () => assert.equal(chosen(query), value));
}

for (const [query, reason] of [
  ['unemployment', 'no member'],
  ['unemployment area', 'a part of a label'],
  ['unemployment united', 'a part of a label'],
  ['unemployment states united', 'another order'],
  ['unemployment korea', 'a part of two labels'],
  ['unemployment fra', 'a value in small letters'],
  ['unemployment U2', 'a value with a digit'],
  ['unemployment XY', 'a short value'],
  ['unemployment FRAX', 'a part of a word'],
  ['unemployment france germany', 'two members'],
  ['unemployment united states france', 'two members of different length'],
  ['unemployment sudan south sudan', 'two members, one of them inside of the other as well'],
  ['unemployment twin', 'two members with the same label'],
  ['world bank unemployment', 'the name of the provider'],
  ['worldbank unemployment', 'the name of the provider'],
  ['world development indicators unemployment', 'a keyword'],
] as const) {
  test(`"${query}" presets nothing: ${reason}`, () => assert.equal(chosen(query), undefined));
}

test('presets a member beside the name of the provider', () => {
  assert.equal(chosen('world bank unemployment france'), 'FRA');
});

test('presets no member that the title names', () => {
  assert.equal(chosen('exports to the arab world', EXPORTS), undefined);
  assert.equal(chosen('exports to the arab world france', EXPORTS), 'FRA');
  assert.equal(chosen('GDP PER CAPITA', PER_CAPITA), undefined);
  assert.equal(chosen('GDP PER CAPITA FRANCE', PER_CAPITA), 'FRA');
});

test('keeps a value that a source has, and values of other dimensions', () => {
  const source = { type: 'economic_series' as const, provider: 'p', series_id: 's', dimensions: { country: 'DEU' } };
  const fixed = { ...UNEMPLOYMENT, source };
  const other = { ...UNEMPLOYMENT, source: { ...source, dimensions: { sex: 'F' } } };
  const both = createSeriesIndex([fixed, other]);
  const { results } = both.search({ query: 'unemployment france', limit: 9, offset: 0 });
  assert.ok(results.includes(fixed));
  const preset = results.find((result) => result !== fixed);
  assert.deepEqual(preset?.source, { ...source, dimensions: { sex: 'F', country: 'FRA' } });
});

test('keeps order and total when it presets members', () => {
  const many = Array.from({ length: 300 }, (_, i) => indicator(`I${i}`, `Indicator of ${i % 3} prices`));
  const prices = createSeriesIndex(many);
  const plain = createSeriesIndex(many.map(({ members: _, ...rest }) => ({ ...rest, keywords: ['France'] })));
  const request = { query: 'prices france', limit: 40, offset: 120 };
  const [page, expected] = [prices.search(request), plain.search(request)];
  assert.equal(page.total, 300);
  assert.deepEqual(
    page.results.map(({ title, source }) => [title, source]),
    expected.results.map(({ title, source }) => [`${title} – France`, { ...source, dimensions: { country: 'FRA' } }]),
  );
});

test('is not confused by unusual members', () => {
  const values = ['__proto__', 'constructor', '', '\0'].map((value) => ({ value, label: value }));
  const odd = { ...published('odd', 'Odd'), members: { field: '__proto__', values } };
  const unusual = createSeriesIndex([odd, { ...published('none', 'None'), members: { field: 'x', values: [] } }]);
  const [result] = unusual.search({ query: 'odd proto', limit: 9, offset: 0 }).results;
  assert.ok(result?.source.type === 'economic_series' && Object.hasOwn(result.source.dimensions ?? {}, '__proto__'));
  for (const query of ['\0', '0', 'toString', '']) {
    assert.deepEqual(
      unusual.search({ query, limit: 9, offset: 0 }).results.filter(({ source }) => 'dimensions' in source),
      [],
    );
  }
});
