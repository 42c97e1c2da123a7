import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findNpmCli } from '../../../scripts/tests/install-evm.ts';

const root = path.join(import.meta.dirname, '../../..');
// Outside test/, so that no glob over the tests walks through its packages.
const FOLDER = path.join(root, 'node_modules/.cache/almanac-mcp-conformance');
const STAMP = path.join(FOLDER, '.installed');

/** Installs the suite from its lock file unless it is installed already. @returns the path of its program */
export function installSuite(): string {
  const program = path.join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const lockFile = path.join(import.meta.dirname, 'package-lock.json');
  const stamp = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return program;
  const npmCli = findNpmCli(process.env);
  if (npmCli === null) throw new Error('npm-cli.js was not found. Put the folder of npm on the PATH.');
  mkdirSync(FOLDER, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(path.join(import.meta.dirname, file), path.join(FOLDER, file));
  }
  const args = ['ci', `--prefix=${FOLDER}`, '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
  execFileSync(process.execPath, [npmCli, ...args], { cwd: FOLDER, stdio: ['ignore', 2, 2] });
  writeFileSync(STAMP, stamp);
  return program;
}
