import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endBySignal, runInForeground } from '../launch/foreground-child.mjs';
import { InstallLock } from '../launch/install-lock.mjs';

// The EVM node of the tests has its own manifest and lock file in test/evm. The native part of edr requires Node 22, and
// npm on Node 20 leaves such an optional package out without an error, so the packaged Node runs npm here.

const root = path.join(import.meta.dirname, '../..');
const source = path.join(root, 'test/evm');
const lockFolder = path.join(root, 'node_modules/.cache/almanac-evm.lock');

/** The folder of the installation. It is outside test/, so that no glob over the tests walks through its packages. */
export const EVM_FOLDER: string = path.join(root, 'node_modules/.cache/almanac-evm');
const stampFile = path.join(EVM_FOLDER, '.installed');

/** Installs the packages of test/evm unless they are installed already. */
export async function installEvm(): Promise<void> {
  const stamp = currentStamp();
  mkdirSync(path.dirname(EVM_FOLDER), { recursive: true });
  while (!isInstalled(stamp)) {
    const lock = InstallLock.tryAcquire(lockFolder);
    if (lock === null) {
      // Random pauses, so that two processes do not retry at the same moment again.
      await sleep(50 + Math.random() * 150);
      continue;
    }
    try {
      if (isInstalled(stamp)) return;
      await runNpmCi(lock);
      writeFileSync(stampFile, stamp);
    } finally {
      lock.release();
    }
  }
}

/** Returns the path of npm-cli.js, which any Node can run: that of the running npm, or that of the `npm` on the PATH. */
export function findNpmCli(environment: Readonly<Record<string, string | undefined>>): string | null {
  const running = environment.npm_execpath;
  // Other package managers also set this variable, to their own path.
  if (running !== undefined && path.basename(running) === 'npm-cli.js') return running;
  for (const folder of (environment.PATH ?? '').split(path.delimiter)) {
    const program = path.join(folder, 'npm');
    if (folder === '' || !existsSync(program)) continue;
    const beside = path.dirname(realpathSync(program));
    const candidates = [beside, path.join(beside, '../lib/node_modules/npm/bin')];
    const found = candidates.map((parent) => path.join(parent, 'npm-cli.js')).find((file) => existsSync(file));
    if (found !== undefined) return found;
  }
  return null;
}

function currentStamp(): string {
  const lockFile = readFileSync(path.join(source, 'package-lock.json'));
  return createHash('sha256').update(lockFile).update(`${process.platform}-${process.arch}`).digest('hex');
}

function isInstalled(stamp: string): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
}

async function runNpmCi(lock: InstallLock): Promise<void> {
  const npmCli = findNpmCli(process.env);
  if (npmCli === null) throw installFailure('npm-cli.js was not found. Put the folder of npm on the PATH.');
  console.error('Installing the EVM node of the tests from its lock file (first run only) …');
  mkdirSync(EVM_FOLDER, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(path.join(source, file), path.join(EVM_FOLDER, file));
  }
  const args = ['ci', `--prefix=${EVM_FOLDER}`, '--ignore-scripts', '--no-audit', '--no-fund', '--include=optional'];
  const ending = await runInForeground(
    process.execPath,
    [npmCli, ...args, '--engine-strict=false', '--loglevel=error'],
    { cwd: EVM_FOLDER, stdio: ['ignore', 2, 2] },
    (pid) => lock.holdFor(pid),
  );
  if (ending.received !== null) {
    lock.release();
    endBySignal(ending.received);
    await new Promise(() => {}); // the signal ends the process from here
  }
  if (ending.code !== 0) {
    throw installFailure(`npm ci ended with ${ending.signal ?? `code ${ending.code}`}; its messages are above.`);
  }
  const edr = path.join(EVM_FOLDER, `node_modules/@nomicfoundation/edr-${process.platform}-${process.arch}-gnu`);
  // npm counts an optional package that could not be downloaded as success.
  if (process.platform === 'linux' && !existsSync(edr)) throw installFailure(`npm succeeded, but ${edr} is missing.`);
}

function installFailure(reason: string): Error {
  return new Error(
    `The EVM node of the tests could not be installed: ${reason}\n` +
      'Check that the npm registry is reachable (npm ping) and that the disk has free space, then start again.',
  );
}
