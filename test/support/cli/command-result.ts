import assert from 'node:assert/strict';
import { callAlmanac, type Ending, type Environment } from './almanac-process.ts';

/** Runs a command that succeeds, in this process. Returns its result. */
export async function resultOf(environment: Environment, ...args: string[]): Promise<Record<string, unknown>> {
  return readResult(await callAlmanac(args, environment), args.join(' '));
}

/** Checks that a command succeeded and printed one JSON object on one line. Returns the object. */
export function readResult(ending: Ending, command: string): Record<string, unknown> {
  assert.deepEqual({ code: ending.code, stderr: ending.stderr }, { code: 0, stderr: '' }, command);
  assert.match(ending.stdout, /^\{.*\}\n$/, 'one object on one line');
  return JSON.parse(ending.stdout);
}

/** Runs a command that fails, in this process, and checks its exit code and message. */
export async function assertFails(
  environment: Environment,
  code: 1 | 2,
  message: RegExp,
  ...args: string[]
): Promise<void> {
  assertFailure(await callAlmanac(args, environment), code, message);
}

/** Checks that a command failed with nothing on standard output and one line on standard error. */
export function assertFailure(ending: Ending, code: 1 | 2, message: RegExp): void {
  assert.equal(ending.stdout, '');
  assert.match(ending.stderr, /^almanac: .*\n$/, 'one line');
  assert.match(ending.stderr, message);
  assert.equal(ending.code, code);
}
