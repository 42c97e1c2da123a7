import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logExportFailures } from './log-export-failures.ts';

const FAILED = { code: 1, error: Object.assign(new Error('for alice@example.org'), { code: 'ECONNREFUSED' }) };
const SENT = { code: 0 };

test('logs a failure once, again after ten minutes, and when it is over', () => {
  const logged: unknown[] = [];
  let now = 0;
  let result: typeof FAILED | typeof SENT = SENT;
  const inner = {
    export: (_spans: unknown, done: (result: never) => void) => done(result as never),
    shutdown: async () => {},
  };
  const log = {
    warn: (details: object, message: string) => logged.push([details, message]),
    info: (message: string) => logged.push(message),
  };
  const exporter = logExportFailures(inner as never, log, () => now);
  const exportAt = (next: typeof result, at: number) => {
    result = next;
    now = at;
    const results: unknown[] = [];
    exporter.export([], (received) => results.push(received));
    assert.deepEqual(results, [next], 'the result is passed on');
    return logged.splice(0);
  };
  const warning = [[{ reason: 'ECONNREFUSED' }, 'traces could not be sent; their spans are dropped']];
  assert.deepEqual(exportAt(SENT, 0), []);
  assert.deepEqual(exportAt(FAILED, 1), warning);
  assert.deepEqual(exportAt(FAILED, 2), []);
  assert.deepEqual(exportAt(FAILED, 600_000), []);
  assert.deepEqual(exportAt(FAILED, 600_001), warning);
  assert.deepEqual(exportAt(SENT, 600_002), ['traces are accepted again']);
  assert.deepEqual(exportAt(SENT, 600_003), []);
  assert.deepEqual(exportAt(FAILED, 600_004), warning);
  exporter.detach();
  assert.deepEqual(exportAt(SENT, 600_005), [], 'nothing is logged after the stop');
});
