import { globSync } from 'node:fs';
import type { Tally } from './kill-rounds.ts';
import { ROOT, runTestFiles } from './run-test-files.ts';

/** Runs the fuzz tests with more requests than `npm test` does, and with another seed. */
export async function runLongFuzz(requests: number, seed: number): Promise<Tally> {
  const files = globSync('test/fuzz/**/*.test.ts', { cwd: ROOT });
  console.log(`fuzz with ${requests} requests: ${files.join(', ')}`);
  return runTestFiles(files, { FUZZ_REQUESTS: String(requests), FUZZ_SEED: String(seed) });
}
