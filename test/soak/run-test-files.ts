import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Tally } from './kill-rounds.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Runs test files with variables that make them longer than in `npm test`. */
export async function runTestFiles(
  files: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Tally> {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=2', '--test-reporter=spec'];
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd: ROOT,
    env: { ...environment, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
