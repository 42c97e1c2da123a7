import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Tally } from './kill-rounds.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs the fuzz tests with more requests than `npm test` does, and with another seed. */
export async function runLongFuzz(requests: number, seed: number): Promise<Tally> {
  const files = globSync('test/fuzz/**/*.test.ts', { cwd: ROOT });
  console.log(`fuzz with ${requests} requests: ${files.join(', ')}`);
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=2', '--test-reporter=spec'];
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd: ROOT,
    env: { ...environment, FUZZ_REQUESTS: String(requests), FUZZ_SEED: String(seed) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
