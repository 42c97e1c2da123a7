import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionOf, keysOf } from './keys.ts';
import { isSeasonalNaive, parsePublished, plainName, rankOf } from './published-scores.ts';

const HEAD = 'source,model,dataset,mase,wql';

const KEYS = [
  'monash_m1_yearly',
  'monash_m1_monthly',
  'monash_m3_quarterly',
  'monash_hospital',
  'monash_cif_2016',
  'nn5',
  'gift:hospital/M/short',
  'gift:us_births/D/short',
  'gift:us_births/W/short',
  'gift:us_births/M/short',
  'fev:hospital',
  'fev:australian_tourism',
];
const PUBLISHED = parsePublished([HEAD, ...KEYS.map((key) => `s,m,${key},1,1`)].join('\n'));

test('equal scores share a place, in the digits in which scores are published', () => {
  const published = [0.5, 0.7, 0.7, 0.9];
  assert.deepEqual(
    [0.4, 0.5, 0.6, 0.7, 0.8, 1].map((score) => rankOf(score, published)),
    [1, 1, 2, 2, 4, 5],
  );
  assert.equal(rankOf(1.1462044, [1.1462]), 1);
  assert.equal(rankOf(1.14621, [1.1462]), 2);
});

test('the name of a file decides which published data sets its lines are', () => {
  const keys = (name: string, group: string) => keysOf(name, group, PUBLISHED);
  assert.deepEqual(keys('m1', 'yearly'), ['monash_m1_yearly']);
  assert.deepEqual(keys('m1', 'monthly'), ['monash_m1_monthly']);
  assert.deepEqual(keys('m3-dev', 'quarterly'), ['monash_m3_quarterly']);
  assert.deepEqual(keys('m3-dev', 'other'), []);
  assert.deepEqual(keys('hospital', 'monthly'), ['monash_hospital', 'gift:hospital/M/short']);
  assert.deepEqual(keys('cif_2016', 'monthly'), ['monash_cif_2016']);
  assert.deepEqual(keys('nn5', 'daily'), ['nn5']);
  assert.deepEqual(keys('us_births_D', 'daily'), ['gift:us_births/D/short']);
  assert.deepEqual(keys('us_births_W', 'weekly'), ['gift:us_births/W/short']);
  assert.deepEqual(keys('us_births_M', 'monthly'), ['gift:us_births/M/short']);
  assert.deepEqual(keys('australian_tourism-fev2w', 'quarterly'), ['fev:australian_tourism']);
  assert.deepEqual(keys('sales', 'monthly'), []);
});

test('the prefix of a data set decides the definition', () => {
  assert.equal(definitionOf('nn5'), 'chronos');
  assert.equal(definitionOf('gift:us_births/D/short'), 'gift');
  assert.equal(definitionOf('fev:hospital'), 'fev');
});

test('names of models are compared without case and punctuation', () => {
  assert.equal(plainName('Seasonal Naive'), plainName('seasonal_naive'));
  const models = parsePublished(`${HEAD}\na,Seasonal Naive,nn5,1,2\na,naive,nn5,1,2`);
  assert.deepEqual(models.map(isSeasonalNaive), [true, false]);
});

test('a damaged file of published scores is refused with the line and what to write', () => {
  assert.throws(() => parsePublished('model,mase\nx,1'), /line 1 is 'model,mase'\. Write source,model/);
  for (const line of ['a,b,nn5,1', 'a,b,nn5,1,2,3', 'a,b,nn5,one,2', 'a,b,nn5,1,']) {
    assert.throws(() => parsePublished(`${HEAD}\na,b,nn5,1,2\n${line}\n`), /line 3 is .* Write source/);
  }
});
