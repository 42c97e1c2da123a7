import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTopicWords } from './topic-words.ts';

const FOUND: readonly (readonly [title: string, words: string])[] = [
  ['HICP - monthly data (index)', 'inflation, cpi, consumer prices'],
  ['Consumer Price Index for All Urban Consumers', 'inflation, cpi, consumer prices'],
  ['Inflation, consumer prices (annual %)', 'cpi'],
  ['Core CPI', 'inflation, consumer prices'],
  ['GDP (current US$)', 'gross domestic product'],
  ['Real Gross Domestic Product', 'gdp'],
  ['gdp, gross domestic product', ''],
  ['Unemployment rate', 'jobless'],
  ['Unemployed persons', 'unemployment, jobless'],
  ['Initial jobless claims', 'unemployment'],
  ['All Employees, Total Nonfarm Payrolls', 'employment, jobs'],
  ['Euro foreign exchange reference rates', 'currency, fx, forex'],
  ['U.S. Dollars to Euro Spot Exchange Rate', 'currency, fx, forex'],
  ['EMU convergence criterion bond yields', 'rates, interest rate'],
  ['Federal Funds Effective Rate', 'rates, interest rate'],
  ['Interest rates', 'interest rate'],
  ['Cereal yield (kg per hectare)', ''],
  ['Population, total', 'inhabitants'],
  ['External balance on goods and services', 'trade balance, trade deficit, trade surplus'],
  ['General government gross debt', 'national debt, public debt'],
  ['House price index', 'house prices, home prices, real estate'],
  ['CO2 emissions', 'carbon dioxide'],
];

for (const [title, words] of FOUND) {
  test(`finds topic words of "${title}"`, () => assert.equal(findTopicWords(title).join(', '), words));
}

test('matches whole words only', () => {
  for (const title of ['CPIX', 'GDPR complaints', 'Underemploymentx', 'Populations of bees', 'M25 traffic']) {
    assert.deepEqual(findTopicWords(title), [], title);
  }
});

test('takes little time for a long title', () => {
  assert.deepEqual(findTopicWords(`${'government a '.repeat(100_000)}debts`), []);
});
