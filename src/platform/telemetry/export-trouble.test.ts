import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellingOfTrouble } from './export-trouble.ts';

const FAILED = { code: 1, error: Object.assign(new Error('for somebody@example.org'), { code: 'ECONNREFUSED' }) };
const SENT = { code: 0 };

test('trouble is told once, again after ten minutes, and when it is over', () => {
  const said: unknown[] = [];
  let now = 0;
  let result: typeof FAILED | typeof SENT = SENT;
  const inner = {
    export: (_spans: unknown, done: (told: never) => void) => done(result as never),
    shutdown: async () => {},
  };
  const log = {
    warn: (details: object, message: string) => said.push([details, message]),
    info: (message: string) => said.push(message),
  };
  const exporter = tellingOfTrouble(inner as never, log, () => now);
  const exported = (next: typeof result, at: number) => {
    result = next;
    now = at;
    const answers: unknown[] = [];
    exporter.export([], (told) => answers.push(told));
    assert.deepEqual(answers, [next], 'whoever asked is told the same');
    return said.splice(0);
  };
  const trouble = [[{ reason: 'ECONNREFUSED' }, 'traces could not be sent; those spans are dropped']];
  assert.deepEqual(exported(SENT, 0), []);
  assert.deepEqual(exported(FAILED, 1), trouble);
  assert.deepEqual(exported(FAILED, 2), []);
  assert.deepEqual(exported(FAILED, 600_000), []);
  assert.deepEqual(exported(FAILED, 600_001), trouble);
  assert.deepEqual(exported(SENT, 600_002), ['traces are taken again']);
  assert.deepEqual(exported(SENT, 600_003), []);
  assert.deepEqual(exported(FAILED, 600_004), trouble);
});
