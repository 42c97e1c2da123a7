// Compiles contracts/CommitmentService.sol and writes contracts/CommitmentService.json:
//
//   npm run contract [-- --check]       --check only compares

import { readFileSync, writeFileSync } from 'node:fs';
import { BUILD_FILE, compileContract } from './compile.ts';

const build = compileContract();
if (!process.argv.includes('--check')) writeFileSync(BUILD_FILE, build);
else if (readFileSync(BUILD_FILE, 'utf8') !== build) {
  console.error(`${BUILD_FILE} is not what the source compiles to. Run: npm run contract`);
  process.exitCode = 1;
}
