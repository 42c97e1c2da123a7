import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../contract/index.ts';
import { toFieldErrors } from './refusals.ts';

const LABELS = {
  from: 'First day',
  to: 'Last day',
  resolution_deadline: ['deadline', 'Deadline'],
  input_cutoff_at: ['known_by', 'Known by'],
  limit: 'Limit',
} as const;

test('errors of fields name other fields by their labels and have no words of the API', () => {
  for (const [message, expected] of [
    ['from: must not be after to.', { from: 'First day must not be after “Last day”.' }],
    [
      'from: must be fewer than 400 days before to. Choose a later day, or months.',
      { from: 'First day must be fewer than 400 days before “Last day”. Choose a later day, or months.' },
    ],
    ['resolution_deadline: must be after input_cutoff_at.', { deadline: 'Deadline must be after “Known by”.' }],
    [
      'resolution_deadline: must be a date and time with an offset, such as 2024-01-31T00:00:00Z.',
      { deadline: 'Deadline must be a date, such as 2024-01-31.' },
    ],
    [
      'limit: must be a whole number from 0 to 1000000000, or null.',
      { limit: 'Limit must be a whole number from 0 to 1,000,000,000.' },
    ],
    [
      'from: must not be after today, 2026-01-02 (UTC).',
      { from: 'First day must not be after today, 2026-01-02 (UTC).' },
    ],
    ['other: must not be after to.', null],
  ] as const)
    assert.deepEqual(toFieldErrors(new Fault('INVALID_REQUEST', message), LABELS), expected);
});
