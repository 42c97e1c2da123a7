import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLES, instrument, published } from '../../../test/support/market/search-entries.ts';
import { createSeriesIndex } from './series-index.ts';

const index = createSeriesIndex(EXAMPLES);

function titles(query: string): string[] {
  return index.search({ query, limit: 100, offset: 0 }).results.map(({ title }) => title);
}

test('ranks an exact symbol before titles, titles before word beginnings, and all before typing errors', () => {
  assert.deepEqual(titles('aapl'), [
    'Apple Inc.',
    'Daily AAPL bull fund',
    // AAL and AAPB differ by one letter, APLE by two.
    'American Airlines Group',
  ]);
  assert.deepEqual(titles('spx'), ['S&P 500', 'SPX Technologies']);
  assert.deepEqual(titles('price').at(-1), 'Prize money of tennis tournaments');
  assert.deepEqual(titles('rate'), ['Unemployment rate, United States', 'Youth unemployment rates, United States']);
});

for (const [query, first] of [
  ['^GSPC', 'S&P 500'],
  ['gspc', 'S&P 500'],
  ['spx', 'S&P 500'],
  ['SPX technologies', 'SPX Technologies'],
  ['s&p 500', 'S&P 500'],
  ['S & P 500', 'S&P 500'],
  ['sp500', 'S&P 500'],
  ['sp 500', 'S&P 500'],
  ['s&p500', 'S&P 500'],
  ['s and p', 'S&P 500'],
  ['s&p 5', 'S&P 500'],
  ['nasdaq100', 'Nasdaq 100'],
  ['brk.b', 'Berkshire Hathaway Class B'],
  ['brkb', 'Berkshire Hathaway Class B'],
  ['BRK B', 'Berkshire Hathaway Class B'],
  ['C:EURUSD', 'Euro / US dollar'],
  ['eurusd', 'Euro / US dollar'],
  ['eur/usd', 'Euro / US dollar'],
  ['at&t', 'AT&T Inc.'],
  ['att', 'AT&T Inc.'],
  ['US0378331005', 'Apple Inc.'],
  ['unrate', 'Unemployment rate, United States'],
  ['unrate youth', 'Youth unemployment rates, United States'],
  ['sao paulo', 'Consumer price index, Brazil, São Paulo'],
  ['SÃO', 'Consumer price index, Brazil, São Paulo'],
  ['ibge', 'Consumer price index, Brazil, São Paulo'],
  ['price', 'Consumer price index, United States'],
  ['unempl', 'Unemployment rate, United States'],
  ['apple', 'Apple Inc.'],
  ['consumer price index united states', 'Consumer price index, United States'],
  ['germany gdp', 'Real gross domestic product, Germany'],
] as const) {
  test(`"${query}" finds "${first}" first`, () => assert.equal(titles(query)[0], first));
}

for (const [kind, query, first] of [
  ['omitted', 'unemploment rate', 'Unemployment rate, United States'],
  ['added', 'germaany', 'Real gross domestic product, Germany'],
  ['replaced', 'brezil', 'Consumer price index, Brazil, São Paulo'],
  ['swapped', 'appel inc', 'Apple Inc.'],
  ['replaced at the start', 'verkshire', 'Berkshire Hathaway Class B'],
  ['omitted and another added', 'hosptalityy', 'Apple Hospitality REIT'],
] as const) {
  test(`finds "${query}" despite a letter ${kind}`, () => assert.equal(titles(query)[0], first));
}

test('allows no error in short words and numbers, and one in words of up to seven letters', () => {
  assert.deepEqual(titles('gpd'), []);
  assert.deepEqual(titles('5000'), []);
  assert.deepEqual(titles('brezill'), []);
});

test('matches only the last word by its beginning', () => {
  assert.deepEqual(titles('gross uni'), ['Real gross domestic product, United States']);
  assert.equal(titles('uni gross').length, 2);
});

test('requires all words to match unless no entry has them all', () => {
  assert.deepEqual(titles('unemployment united states youth'), ['Youth unemployment rates, United States']);
  const some = titles('apple berkshire hathaway');
  assert.deepEqual(some.slice(0, 2), ['Berkshire Hathaway Class B', 'Apple Inc.']);
});

test('ranks titles before an alias that names many series', () => {
  const listed = Array.from({ length: 65 }, (_, i) => instrument(`S${i}`, `A company ${i}`, ['NASDAQ']));
  const many = createSeriesIndex([...listed, instrument('^IXIC', 'Nasdaq composite')]);
  assert.equal(many.search({ query: 'nasdaq', limit: 1, offset: 0 }).results[0]?.title, 'Nasdaq composite');
});

test('orders entries that match equally well by title, then source', () => {
  const grain = [published('b', 'Wheat'), published('a', 'Wheat'), published('c', 'Oats'), published('d', 'ägypten')];
  const equal = createSeriesIndex(grain);
  const ids = equal.search({ query: ' \n', limit: 9, offset: 0 }).results.map(({ source }) => source);
  assert.deepEqual(
    ids.map((source) => source.type === 'economic_series' && source.series_id),
    ['d', 'c', 'a', 'b'],
  );

  const more = createSeriesIndex([published('e', 'Maize', ['pricing']), published('f', 'Rye', ['price'])]);
  const byBeginning = more.search({ query: 'pri', limit: 9, offset: 0 }).results.map(({ title }) => title);
  assert.deepEqual(byBeginning, ['Maize', 'Rye']);
});

test('ranks delisted instruments last among equal matches', () => {
  const delisted = (symbol: string, title: string) => ({ ...instrument(symbol, title), status: 'delisted' as const });
  const active = (symbol: string, title: string) => ({ ...instrument(symbol, title), status: 'active' as const });
  const listed = createSeriesIndex([
    delisted('ZZZ', 'Tesla'),
    active('TSLA', 'Tesla Motors and Energy'),
    delisted('TESLA', 'A fund'),
    published('t', 'Tesla coils'),
  ]);
  const found = listed.search({ query: 'tesla', limit: 9, offset: 0 }).results.map(({ title }) => title);
  assert.deepEqual(found, ['A fund', 'Tesla coils', 'Tesla Motors and Energy', 'Tesla']);
});

test('a name of a series counts like an alias of its symbol', () => {
  const gold = { ...instrument('XAUUSD', 'Gold / US dollar'), names: ['gold', 'gold price'] };
  const listed = createSeriesIndex([gold, instrument('A', 'Gold'), instrument('B', 'Gold price')]);
  for (const query of ['gold', 'Gold price', 'goldprice']) {
    assert.equal(listed.search({ query, limit: 1, offset: 0 }).results[0], gold, query);
  }
});

test('does not count words of most company names as a difference to the query', () => {
  const listed = createSeriesIndex([
    instrument('APLE', 'Apple Hospitality'),
    instrument('AAPL', 'Apple Inc. Common Stock'),
  ]);
  assert.equal(listed.search({ query: 'apple', limit: 1, offset: 0 }).results[0]?.title, 'Apple Inc. Common Stock');
});
