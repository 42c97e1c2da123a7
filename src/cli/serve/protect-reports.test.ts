import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protectReports } from './protect-reports.ts';

function withTriggers(isOn: boolean, others: object = {}) {
  return { reportOnFatalError: isOn, reportOnSignal: false, reportOnUncaughtException: false, ...others };
}

test('reports of a crash do not contain the environment, or are not written', () => {
  const lines: string[] = [];
  const log = { warn: (line: string) => void lines.push(line) } as never;
  const old = withTriggers(true);
  protectReports(log, old);
  assert.deepEqual([old, lines.length], [withTriggers(false), 1]);
  protectReports(log, withTriggers(false));
  assert.equal(lines.length, 1, 'nothing is said if they were off');
  const newer = withTriggers(true, { excludeEnv: false });
  protectReports(log, newer);
  assert.deepEqual(newer, withTriggers(true, { excludeEnv: true }));
});
