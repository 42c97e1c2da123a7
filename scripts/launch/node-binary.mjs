import path from 'node:path';
import { LaunchError } from './launch-error.mjs';

export const REQUIRED_MAJOR = 24;

/**
 * The flags of every process. npm installs no links to packages, so not resolving links is safe and saves a tenth of a
 * second.
 */
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--preserve-symlinks', '--preserve-symlinks-main'];

/**
 * Returns the environment of every process: that of the launcher, with a folder for what Node has compiled, and without
 * the reports that onnxruntime would send to its maker.
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function processEnvironment(root) {
  const compileCache = path.join(root, 'node_modules/.cache/almanac-compile');
  return { NODE_COMPILE_CACHE: compileCache, ORT_DISABLE_TELEMETRY: '1', ...process.env };
}

/**
 * Returns the path of the Node that runs the entry. The packaged Node is preferred even to a newer one on the PATH:
 * equal results are promised only for equal versions, so every machine should run the version in the lock file.
 *
 * @param {object} machine
 * @param {string} machine.root
 * @param {Record<string, unknown>} machine.lockedPackages the "packages" of package-lock.json
 * @param {string} machine.platform
 * @param {string} machine.arch
 * @param {string} machine.currentVersion such as "20.20.2"
 * @param {string} machine.currentPath
 * @returns {string} an absolute path; a packaged Node may not be installed yet
 */
export function chooseNodeBinary({ root, lockedPackages, platform, arch, currentVersion, currentPath }) {
  const packageFolder = `node_modules/node-${platform}-${arch}`;
  if (packageFolder in lockedPackages) return path.join(root, packageFolder, 'bin', 'node');
  if (Number.parseInt(currentVersion, 10) >= REQUIRED_MAJOR) return currentPath;
  throw new LaunchError(
    `Almanac needs Node ${REQUIRED_MAJOR} or later. The lock file has one for Linux on x64 and arm64, but none for ` +
      `${platform} on ${arch}, and this is Node ${currentVersion}.\n` +
      `Install Node ${REQUIRED_MAJOR} (https://nodejs.org/en/download), put it first on the PATH and start again.`,
  );
}
