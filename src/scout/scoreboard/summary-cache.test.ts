import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarize } from '../scores/summarize.ts';
import { summarizeOnce } from './summary-cache.ts';

const QUESTIONS = Array.from({ length: 20 }, (_, place) => ({
  probability: (place + 1) / 21,
  happened: place % 3 === 0,
  cluster: `summary-cache-${place % 7}`,
}));

test('computes the summary of the same questions once, for concurrent and later requests', async () => {
  let computed = 0;
  const count = async () => void computed++;
  const [first, second] = await Promise.all([
    summarizeOnce(QUESTIONS, 50, count),
    summarizeOnce(
      QUESTIONS.map((question) => ({ ...question })),
      50,
      count,
    ),
  ]);
  assert.equal(await summarizeOnce(QUESTIONS, 50, count), first);
  assert.equal(second, first);
  assert.equal(computed, 1);
  assert.deepEqual(first, { ...summarize(QUESTIONS, { draws: 50 }), draws: 50 });
});

test('computes another summary if a probability, an outcome, a cluster or the number of draws differs', async () => {
  let computed = 0;
  const count = async () => void computed++;
  const [head = QUESTIONS[0], ...rest] = QUESTIONS;
  assert.ok(head);
  for (const change of [{ probability: 0.999 }, { happened: !head.happened }, { cluster: 'summary-cache-other' }]) {
    await summarizeOnce([{ ...head, ...change }, ...rest], 50, count);
  }
  await summarizeOnce(QUESTIONS, 51, count);
  assert.equal(computed, 4);
});

test('does not keep a failure', async () => {
  const questions = QUESTIONS.slice(0, 5);
  await assert.rejects(
    summarizeOnce(questions, 50, () => Promise.reject(new Error('stopped'))),
    /stopped/,
  );
  assert.equal((await summarizeOnce(questions, 50, async () => undefined)).draws, 50);
});
