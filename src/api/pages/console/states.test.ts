import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES, Fault } from '../../../contract/index.ts';
import { describeProblem, formatWait, toPageWords, withoutWait } from './problem-words.ts';
import { renderEmpty, renderNote, renderProblem } from './states.ts';

test('a problem states its message, advice, when to try again, and what to do', () => {
  const fault = new Fault('RATE_LIMITED', 'More than 60 requests a minute. Wait 90 s and try again.', {
    retryAfter: 90,
  });
  const { text } = renderProblem(fault, {
    retry: '/search?q=a&b',
    steps: [{ href: '/', label: 'Go to the start page' }],
  });
  assert.match(text, /<h2>Too many requests<\/h2>/);
  assert.match(text, /<p>More than 60 requests a minute\.<\/p>/);
  assert.match(text, /<p data-retry="90">Try again in <strong>2 minutes<\/strong>\.<\/p>/);
  assert.match(text, /<a class="button" href="\/search\?q=a&amp;b">Try again<\/a>/);
  assert.match(text, /<a class="button quiet" href="\/">Go to the start page<\/a>/);
});

test('a problem that trying again cannot solve has no link to do so', () => {
  const { text } = renderProblem(new Fault('NOT_FOUND', 'No such forecast.'), { retry: '/x' });
  assert.doesNotMatch(text, /Try again/);
});

test('a guest that needs an account comes back to the same page', () => {
  const { text } = renderProblem(new Fault('ACCOUNT_REQUIRED', 'Sign in.'), { retry: '/forecasts/x?a=1' });
  assert.match(text, /href="\/auth\/sign-up\?return_to=%2Fforecasts%2Fx%3Fa%3D1">Create an account</);
});

test('a message cannot add markup', () => {
  assert.match(renderProblem(new Fault('UNPROCESSABLE', '<b>x</b>')).text, /<p>&lt;b&gt;x&lt;\/b&gt;<\/p>/);
  assert.match(renderEmpty({ title: '<i>', text: '<b>' }).text, /<h2>&lt;i&gt;<\/h2>\n<p>&lt;b&gt;<\/p>/);
  assert.match(renderNote('warning', '<b>', '<i>').text, /<strong>&lt;i&gt;<\/strong>/);
});

test('an error without a message for visitors is thrown again', () => {
  const error = new TypeError('details for the log');
  assert.throws(() => renderProblem(error), error);
});

test('every error code has a title, and its advice is a sentence', () => {
  for (const code of [...ERROR_CODES, 'OFFLINE', 'UNREADABLE', 'SOMETHING_NEW', 'constructor']) {
    const { title, advice } = describeProblem(code);
    assert.match(title, /^[A-Z].*[^.]$/, code);
    if (advice !== null) assert.match(advice, /^[A-Z].*\.$/, code);
  }
});

test('a wait is rounded up to a unit that people use', () => {
  const waits = { 0: '1 second', 1: '1 second', 59: '59 seconds', 60: '1 minute', 61: '2 minutes', 7200: '2 hours' };
  for (const [seconds, words] of Object.entries(waits)) assert.equal(formatWait(Number(seconds)), words);
});

test('only the request to wait is left out of a message', () => {
  assert.equal(withoutWait('Too many. Wait 5 s and try again.'), 'Too many.');
  assert.equal(withoutWait('Wait for one to finish.'), 'Wait for one to finish.');
});

test('messages of pages name no fields of the API', () => {
  for (const [message, words] of [
    ['source.symbol: no provider has an instrument "X".', 'No provider has an instrument "X".'],
    ['types[0]: must be one of market, economic_series.', 'Types must be one of market, economic_series.'],
    ['CHECKPOINT_UNAVAILABLE: toto is missing.', 'Toto is missing.'],
    [
      'cursor: was not issued for this query. Leave it out.',
      'This link to the next results no longer works. Search again from the start.',
    ],
    ['No forecast has this id or slug.', 'There is no forecast at this address.'],
    ['This address does not exist. See /docs for the API.', 'This address does not exist.'],
    ['Idempotency-Key: this key was used before.', 'Idempotency-Key: this key was used before.'],
    ['The request cannot be read: it ended.', 'The request cannot be read: it ended.'],
  ] as const)
    assert.equal(toPageWords(message), words);
});
