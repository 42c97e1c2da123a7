import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endBySignal, runInForeground } from './foreground-child.mjs';
import { InstallLock } from './install-lock.mjs';
import { LaunchError } from './launch-error.mjs';

/** @typedef {{ version?: string, optional?: boolean, link?: boolean }} LockedPackage */
/** @typedef {{ text: string, packages: Record<string, LockedPackage> }} LockFile */

const STAMP = 'node_modules/.almanac-install';
// Not inside node_modules, which npm ci empties first.
const LOCK_FOLDER = '.almanac-install.lock';

/**
 * @param {string} root
 * @returns {LockFile}
 */
export function readLockFile(root) {
  const file = path.join(root, 'package-lock.json');
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new LaunchError(`${file} cannot be read. Restore it with: git checkout -- package-lock.json`);
  }
  try {
    return { text, packages: JSON.parse(text).packages };
  } catch {
    throw new LaunchError(`${file} is not valid JSON. Restore it with: git checkout -- package-lock.json`);
  }
}

/**
 * Installs the packages of the lock file unless node_modules already has them.
 * @param {string} root
 * @param {LockFile} lockFile
 * @param {string} nodeBinary
 */
export async function installIfNeeded(root, lockFile, nodeBinary) {
  const stampFile = path.join(root, STAMP);
  const stamp = createHash('sha256').update(lockFile.text).update(`${process.platform}-${process.arch}`).digest('hex');

  const isStamped = () => existsSync(nodeBinary) && readIfPresent(stampFile)?.trim() === stamp;
  const firstMissing = () => firstDifference(root, lockFile) ?? (existsSync(nodeBinary) ? null : nodeBinary);

  const waitingSince = Date.now();
  let hasReportedWait = false;
  while (!isStamped()) {
    let lock;
    try {
      lock = InstallLock.tryAcquire(path.join(root, LOCK_FOLDER));
    } catch (error) {
      // The folder belongs to another user or is mounted read-only. That is acceptable if nothing has to be installed.
      if (firstMissing() === null) return;
      throw new LaunchError(
        `The packages are not installed and ${root} is not writable (${/** @type {Error} */ (error).message}).\n` +
          'Start once as the owner of the folder: node scripts/launch.mjs --version',
      );
    }
    if (lock === null) {
      // Two launchers that start at the same time may both retry once, so only a longer wait is reported.
      if (!hasReportedWait && Date.now() - waitingSince > 1000) {
        hasReportedWait = true;
        console.error('Waiting for another start that is installing the packages …');
      }
      // Random pauses, so that two launchers do not retry at the same moment again.
      await sleep(50 + Math.random() * 150);
      continue;
    }
    try {
      if (isStamped()) return;
      // A plain "npm ci" leaves a complete folder without the stamp.
      if (firstMissing() !== null) {
        await runNpmCi(root, lock);
        const missing = firstMissing();
        // npm counts an optional package that could not be downloaded as success, and Node itself is one.
        if (missing !== null) throw installFailure(root, `npm ci succeeded, but ${missing} is missing`);
      }
      await createDatabaseTemplate(root, nodeBinary, lock);
      writeFileSync(stampFile, `${stamp}\n`);
    } finally {
      lock.release();
    }
  }
}

/**
 * @param {string} root
 * @param {LockFile} lockFile
 * @returns {string | null} the first package that is missing or has another version, null if there is none
 */
function firstDifference(root, lockFile) {
  const installedText = readIfPresent(path.join(root, 'node_modules/.package-lock.json'));
  if (installedText === null) return 'node_modules/.package-lock.json';
  /** @type {Record<string, LockedPackage>} */
  let installed;
  try {
    installed = JSON.parse(installedText).packages;
  } catch {
    return 'node_modules/.package-lock.json';
  }
  for (const [folder, locked] of Object.entries(lockFile.packages)) {
    if (folder === '' || locked.link) continue;
    const found = installed[folder];
    if (found === undefined) {
      if (!locked.optional) return folder;
    } else if (found.version !== locked.version || !existsSync(path.join(root, folder, 'package.json'))) {
      return folder;
    }
  }
  return null;
}

/**
 * @param {string} root
 * @param {InstallLock} lock
 */
async function runNpmCi(root, lock) {
  console.error('Installing packages from the lock file (first start only) …');
  const [command, npmArgs] = npmCommand();
  const args = [
    ...npmArgs,
    'ci',
    '--ignore-scripts',
    // NODE_ENV=production or a user's "omit" setting would skip the test tools or Node itself.
    '--include=dev',
    '--include=optional',
    // The packages require the Node that runs them, not the older one that may be installing them.
    '--engine-strict=false',
    // "npm run -s" sets a level that hides the reason for a failure. This level shows it, without the warnings about
    // the older Node.
    '--loglevel=error',
  ];
  let ending;
  try {
    ending = await runStep(command, args, root, lock);
  } catch (error) {
    throw installFailure(root, `npm could not be started: ${/** @type {Error} */ (error).message}`);
  }
  if (ending.code !== 0) {
    throw installFailure(root, `npm ci ended with ${ending.signal ?? `code ${ending.code}`}; its messages are above`);
  }
}

/**
 * Creates the empty database that a first start copies. Without it, a first start takes a few seconds longer, so a
 * failure here is reported and does not fail the installation.
 * @param {string} root
 * @param {string} nodeBinary
 * @param {InstallLock} lock
 */
async function createDatabaseTemplate(root, nodeBinary, lock) {
  const entry = path.join(root, 'scripts/create-database-template.ts');
  if (!existsSync(entry)) return;
  console.error('Preparing the embedded database (first start only) …');
  const ending = await runStep(nodeBinary, ['--disable-warning=ExperimentalWarning', entry], root, lock);
  if (ending.code !== 0)
    console.error('The embedded database could not be prepared. The service will create it instead.');
}

/**
 * Runs a command of the installation. A signal that arrives meanwhile ends this process after the command.
 * @param {string} command
 * @param {string[]} args
 * @param {string} root
 * @param {InstallLock} lock
 */
async function runStep(command, args, root, lock) {
  // Standard output belongs to the entry: "npm run -s almanac" promises one line of JSON on it.
  const options = { cwd: root, stdio: /** @type {('ignore' | 2)[]} */ (['ignore', 2, 2]) };
  const ending = await runInForeground(command, args, options, (pid) => lock.holdFor(pid));
  if (ending.received !== null) {
    lock.release();
    endBySignal(ending.received);
    await new Promise(() => {}); // the signal ends the process from here
  }
  return ending;
}

/**
 * @returns {[command: string, args: string[]]}
 */
function npmCommand() {
  const running = process.env.npm_execpath;
  // Other package managers also set this variable, to their own path.
  if (running !== undefined && /^npm(-cli)?\.[cm]?js$/.test(path.basename(running))) {
    return [process.execPath, [running]];
  }
  return ['npm', []];
}

/**
 * @param {string} root
 * @param {string} reason
 */
function installFailure(root, reason) {
  return new LaunchError(
    `The packages could not be installed: ${reason}.\n` +
      'Check that the npm registry is reachable (npm ping) and that the disk has free space, then start again.\n' +
      `To see the details of the failure, run in ${root}: npm ci --ignore-scripts --loglevel=verbose`,
  );
}

/**
 * @param {string} file
 * @returns {string | null}
 */
function readIfPresent(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
