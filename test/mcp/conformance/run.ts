// Runs the conformance suite of the Model Context Protocol against a started service: npm run test:mcp-conformance
//
// Scenarios that need tools, prompts or resources of the suite's own server cannot pass. They are listed by name in
// expected-failures.yml. The suite fails if another scenario fails, and also if one of the list passes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService } from '../../support/cli/service.ts';
import { installSuite } from './install-suite.ts';
import { startKeyProxy } from './key-proxy.ts';

const REVISIONS = ['2025-06-18', '2025-11-25'];

/** Runs the scenarios of one revision. @returns whether the results are those that are expected */
async function runSuite(program: string, url: string, revision: string): Promise<boolean> {
  const results = mkdtempSync(path.join(tmpdir(), 'almanac-mcp-conformance-'));
  const expected = path.join(import.meta.dirname, 'expected-failures.yml');
  const args = ['--url', url, '--suite', 'all', '--spec-version', revision, '--expected-failures', expected];
  const child = spawn(process.execPath, [program, 'server', ...args, '--output-dir', results], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  rmSync(results, { recursive: true, force: true });
  console.log(`${revision}: ${code === 0 ? 'as expected' : 'differs from expected-failures.yml'}`);
  return code === 0;
}

async function run(): Promise<void> {
  const program = installSuite();
  await using service = await startService({ quiet: false });
  await using proxy = await startKeyProxy(service);
  for (const revision of REVISIONS) {
    if (!(await runSuite(program, `${proxy.url}/mcp`, revision))) process.exitCode = 1;
  }
}

await run();
