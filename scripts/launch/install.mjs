import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endBySignal, runInForeground } from './foreground-child.mjs';
import { InstallLock } from './install-lock.mjs';
import { LaunchError } from './launch-error.mjs';
import { NODE_FLAGS, processEnvironment } from './node-binary.mjs';

/** @typedef {{ version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean, link?: boolean }} LockedPackage */
/** @typedef {{ text: string, packages: Record<string, LockedPackage> }} LockFile */

const STAMP = 'node_modules/.almanac-install';
/** The word in the stamp of a folder that has the development packages as well. */
const WITH_DEV = 'dev';
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
 * Installs the packages of the lock file unless node_modules already has them. The service gets only the packages that
 * it runs with. Tools also get the development packages, which are added to those: a service that runs from the same
 * folder must not lose its packages, as it would by npm ci.
 * @param {string} root
 * @param {LockFile} lockFile
 * @param {string} nodeBinary
 * @param {{ isForTools: boolean }} options
 */
export async function installIfNeeded(root, lockFile, nodeBinary, { isForTools }) {
  const stampFile = path.join(root, STAMP);
  const stamp = createHash('sha256').update(lockFile.text).update(`${process.platform}-${process.arch}`).digest('hex');

  /** @param {boolean} withDev */
  const hasStamp = (withDev) => {
    const [found, extent] = readIfPresent(stampFile)?.trim().split(' ') ?? [];
    return existsSync(nodeBinary) && found === stamp && (!withDev || extent === WITH_DEV);
  };
  const isStamped = () => hasStamp(isForTools);
  const missingWith = (/** @type {boolean} */ withDev) =>
    firstDifference(root, lockFile, withDev) ?? (existsSync(nodeBinary) ? null : nodeBinary);
  const firstMissing = () => missingWith(isForTools);

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
        if (isForTools && missingWith(false) === null) await addDevPackages(root, lockFile, lock);
        else await runNpmCi(root, lock, isForTools);
        const missing = firstMissing();
        // npm counts an optional package that could not be downloaded as success, and Node itself is one.
        if (missing !== null) throw installFailure(root, `npm succeeded, but ${missing} is missing`);
      }
      if (!hasStamp(false)) await prepareFirstUse(root, nodeBinary, lock);
      writeFileSync(stampFile, `${stamp}${missingWith(true) === null ? ` ${WITH_DEV}` : ''}\n`);
    } finally {
      lock.release();
    }
  }
}

/** The list of installed packages, which npm writes when an installation is complete. */
const INSTALLED = 'node_modules/.package-lock.json';

/**
 * @param {string} root
 * @returns {Record<string, LockedPackage> | null} null if there is no complete installation
 */
function readInstalled(root) {
  try {
    return JSON.parse(readIfPresent(path.join(root, INSTALLED)) ?? 'null')?.packages ?? null;
  } catch {
    return null;
  }
}

/**
 * @param {string} root
 * @param {LockFile} lockFile
 * @param {boolean} withDev whether development packages count as well
 * @returns {string | null} the first package that is missing or has another version, null if there is none
 */
function firstDifference(root, lockFile, withDev) {
  const installed = readInstalled(root);
  if (installed === null) return INSTALLED;
  for (const [folder, locked] of Object.entries(lockFile.packages)) {
    if (folder === '' || locked.link) continue;
    if (!withDev && (locked.dev || locked.devOptional)) continue;
    const found = installed[folder];
    if (found === undefined) {
      if (!locked.optional && !locked.devOptional) return folder;
    } else if (found.version !== locked.version || !existsSync(path.join(root, folder, 'package.json'))) {
      return folder;
    }
  }
  return null;
}

/**
 * Installs all packages, or all but the development packages, into an empty folder.
 * @param {string} root
 * @param {InstallLock} lock
 * @param {boolean} withDev
 */
async function runNpmCi(root, lock, withDev) {
  console.error('Installing packages from the lock file (first start only) …');
  // NODE_ENV=production or a user's "omit" setting would otherwise decide.
  await runNpm(root, lock, ['ci', withDev ? '--include=dev' : '--omit=dev']);
}

/**
 * Adds the development packages to the installed ones, which stay untouched.
 * @param {string} root
 * @param {LockFile} lockFile
 * @param {InstallLock} lock
 */
async function addDevPackages(root, lockFile, lock) {
  console.error('Installing development packages from the lock file (first use of a tool only) …');
  // An interrupted attempt can leave a package with only some of its files, which npm would take for complete.
  const installed = readInstalled(root) ?? {};
  for (const [folder, { dev }] of Object.entries(lockFile.packages)) {
    if (dev && !(folder in installed)) rmSync(path.join(root, folder), { recursive: true, force: true });
  }
  await runNpm(root, lock, ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev']);
}

/**
 * @param {string} root
 * @param {InstallLock} lock
 * @param {string[]} command the npm command with its own options
 */
async function runNpm(root, lock, command) {
  const [program, npmArgs] = npmCommand();
  const args = [
    ...npmArgs,
    ...command,
    '--ignore-scripts',
    // A user's "omit" setting would skip Node itself.
    '--include=optional',
    // The packages require the Node that runs them, not the older one that may be installing them.
    '--engine-strict=false',
    // "npm run -s" sets a level that hides the reason for a failure. This level shows it, without the warnings about
    // the older Node.
    '--loglevel=error',
  ];
  let ending;
  try {
    ending = await runStep(program, args, root, lock);
  } catch (error) {
    throw installFailure(root, `npm could not be started: ${/** @type {Error} */ (error).message}`);
  }
  await passOnSignal(lock, [ending]);
  if (ending.code !== 0) {
    throw installFailure(
      root,
      `npm ${command[0]} ended with ${ending.signal ?? `code ${ending.code}`}; its messages are above`,
    );
  }
}

/** Entries that do after the installation what the first start or the first command would otherwise do. */
const PREPARATIONS = [
  {
    entry: 'scripts/create-database-template.ts',
    failure: 'The embedded database could not be prepared. The service will create it instead.',
  },
  {
    entry: 'src/cli/fill-compile-cache.ts',
    failure: 'The command line could not be prepared. The first command will compile it instead.',
  },
];

/**
 * Creates the empty database that a first start copies, and compiles what a first forecast loads. Without them, the first
 * use takes longer, so a failure here is reported and does not fail the installation.
 * @param {string} root
 * @param {string} nodeBinary
 * @param {InstallLock} lock
 */
async function prepareFirstUse(root, nodeBinary, lock) {
  const found = PREPARATIONS.filter(({ entry }) => existsSync(path.join(root, entry)));
  if (found.length === 0) return;
  console.error('Preparing the embedded database and the command line (first start only) …');
  const environment = processEnvironment(root);
  const endings = await Promise.all(
    found.map(({ entry }) => runStep(nodeBinary, [...NODE_FLAGS, entry], root, lock, environment)),
  );
  await passOnSignal(lock, endings);
  for (const [i, { failure }] of found.entries()) if (endings[i]?.code !== 0) console.error(failure);
}

/**
 * Runs a command of the installation.
 * @param {string} command
 * @param {string[]} args
 * @param {string} root
 * @param {InstallLock} lock
 * @param {NodeJS.ProcessEnv} [env]
 */
function runStep(command, args, root, lock, env = process.env) {
  // Standard output belongs to the entry: "npm run -s almanac" promises one line of JSON on it.
  const options = { cwd: root, env, stdio: /** @type {('ignore' | 2)[]} */ (['ignore', 2, 2]) };
  return runInForeground(command, args, options, (pid) => lock.holdFor(pid));
}

/**
 * Ends this process if a signal arrived while commands ran. They have ended.
 * @param {InstallLock} lock
 * @param {import('./foreground-child.mjs').Ending[]} endings
 */
async function passOnSignal(lock, endings) {
  const signal = endings.find(({ received }) => received !== null)?.received;
  if (!signal) return;
  lock.release();
  endBySignal(signal);
  await new Promise(() => {}); // the signal ends the process from here
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
      `To see the details of the failure, run in ${root}: npm install --no-save --ignore-scripts --loglevel=verbose`,
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
