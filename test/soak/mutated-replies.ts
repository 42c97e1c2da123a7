import { globSync } from 'node:fs';
import type { Tally } from './kill-rounds.ts';
import { ROOT, runTestFiles } from './run-test-files.ts';

/** Sends every adapter of a provider more damaged replies than `npm test` does. */
export async function runMutatedReplies(replies: number): Promise<Tally> {
  const files = globSync('src/{market,datasets}/providers/**/mutated-*.test.ts', { cwd: ROOT });
  console.log(`${replies} mutated replies for each adapter: ${files.join(', ')}`);
  return runTestFiles(files, { ALMANAC_MUTATED_REPLIES: String(replies) });
}
