import assert from 'node:assert/strict';
import { type Ending, type Environment, runAlmanac } from './almanac-process.ts';

/** Runs a command that succeeds; returns the one JSON object that it prints on one line. */
export async function answerOf(environment: Environment, ...args: string[]): Promise<Record<string, unknown>> {
  const ending = await runAlmanac(args, environment);
  assert.deepEqual({ code: ending.code, stderr: ending.stderr }, { code: 0, stderr: '' }, args.join(' '));
  assert.match(ending.stdout, /^\{.*\}\n$/, 'one object on one line');
  return JSON.parse(ending.stdout);
}

/** Runs a command that is refused: nothing on standard output, one line on standard error. */
export async function refusalOf(
  environment: Environment,
  code: 1 | 2,
  message: RegExp,
  ...args: string[]
): Promise<void> {
  refusedWith(await runAlmanac(args, environment), code, message);
}

export function refusedWith(ending: Ending, code: 1 | 2, message: RegExp): void {
  assert.equal(ending.stdout, '');
  assert.match(ending.stderr, /^almanac: .*\n$/, 'one line');
  assert.match(ending.stderr, message);
  assert.equal(ending.code, code);
}
