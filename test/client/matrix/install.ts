import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient, CLIENT_FOLDER } from '../../../scripts/client/build.ts';
import { findNpmCli } from '../../../scripts/tests/install-evm.ts';

const root = join(import.meta.dirname, '../../..');
const runtimes = join(root, 'node_modules/.cache/almanac-client-runtimes');
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';

/** The programs that run the client besides the Node of this process and the browser. */
export const RUNTIMES = {
  node20: join(runtimes, `node_modules/node-linux-${arch}/bin/node`),
  deno: join(runtimes, `node_modules/@deno/linux-${arch}-glibc/deno`),
  workerd: join(runtimes, `node_modules/@cloudflare/workerd-linux-${arch === 'x64' ? '64' : arch}/bin/workerd`),
} as const;

/** Installs the runtimes from the lock file in this folder, unless they are installed already. */
export function installRuntimes(): void {
  const lock = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  const stampFile = join(runtimes, '.installed');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lock) return;
  console.log('Installing the runtimes of the client’s tests from their lock file (first run only) …');
  mkdirSync(runtimes, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(import.meta.dirname, file), join(runtimes, file));
  }
  runNpm(runtimes, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--include=optional']);
  // npm counts an optional package that could not be downloaded as success.
  const missing = Object.values(RUNTIMES).filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`npm succeeded, but these runtimes are missing: ${missing.join(', ')}`);
  writeFileSync(stampFile, lock);
}

/** Builds and packs the client and installs the tarball, and nothing else, into a folder. Returns the files of the package. */
export async function installClient(folder: string): Promise<string[]> {
  await buildClient();
  const packed = runNpm(CLIENT_FOLDER, ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  runNpm(folder, ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`]);
  return files.map(({ path }) => path);
}

function runNpm(cwd: string, args: readonly string[]): string {
  const npmCli = findNpmCli(process.env);
  if (npmCli === null) throw new Error('npm-cli.js was not found. Put the folder of npm on the PATH.');
  const run = spawnSync(process.execPath, [npmCli, ...args, '--loglevel=error'], { cwd, encoding: 'utf8' });
  if (run.status === 0) return run.stdout;
  throw new Error(
    `npm ${args.join(' ')} failed. Check that the npm registry is reachable.\n${run.stdout}${run.stderr}`,
  );
}
