import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarizeAudit } from './summarize-audit.ts';

const warning = (title: string) => ({ title, text: `${title}. And more.` });

test('an audit is summarized in two sentences, the second one with every warning', () => {
  const details = [
    'The rows of the test are Jan 2024 to Dec 2024.',
    'The middle of the forecast was off by 4 on average.',
  ];
  const headline = 'On 12 months that it had not seen, its 80% interval held 11 of 12.';
  assert.deepEqual(summarizeAudit({ headline, details, warnings: [], verdict: 'better' }), [headline, details[1]]);
  assert.deepEqual(
    summarizeAudit({
      headline,
      details,
      warnings: [warning('A short test'), warning('A model is missing')],
      verdict: 'none',
    }),
    [headline, 'Be careful: A short test; a model is missing.'],
  );
  const untested = ['The series is too short to hold rows back.'];
  assert.deepEqual(
    summarizeAudit({ headline: null, details: untested, warnings: [warning('Not tested')], verdict: 'none' }),
    [untested[0], 'Be careful: Not tested.'],
  );
});
