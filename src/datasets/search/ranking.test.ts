import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLES, instrument, published } from '../../../test/support/market/search-entries.ts';
import { createSeriesIndex } from './series-index.ts';

const index = createSeriesIndex();
index.add(EXAMPLES);

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
  const many = createSeriesIndex();
  many.add(Array.from({ length: 65 }, (_, i) => instrument(`S${i}`, `A company ${i}`, ['NASDAQ'])));
  many.add([instrument('^IXIC', 'Nasdaq composite')]);
  assert.equal(many.search({ query: 'nasdaq', limit: 1, offset: 0 }).results[0]?.title, 'Nasdaq composite');
});

test('orders entries that match equally well by title, then source', () => {
  const equal = createSeriesIndex();
  equal.add([published('b', 'Wheat'), published('a', 'Wheat'), published('c', 'Oats'), published('d', 'ägypten')]);
  const ids = equal.search({ query: ' \n', limit: 9, offset: 0 }).results.map(({ source }) => source);
  assert.deepEqual(
    ids.map((source) => source.type === 'economic_series' && source.series_id),
    ['d', 'c', 'a', 'b'],
  );

  equal.add([published('e', 'Maize', ['pricing']), published('f', 'Rye', ['price'])]);
  const byBeginning = equal.search({ query: 'pri', limit: 9, offset: 0 }).results.map(({ title }) => title);
  assert.deepEqual(byBeginning, ['Maize', 'Rye']);
});
