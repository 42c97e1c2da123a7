// Runs an entry file on Node 24, on a machine that may have only Node 20 and no node_modules:
//
//   node scripts/launch.mjs [--node-flags...] ENTRY ARGS...
//
// It is plain JavaScript without dependencies because it runs before anything can strip types or resolve a package. The
// npm scripts start it with "exec". Otherwise the shell between npm and the launcher (dash, on Debian) would be ended
// by a SIGTERM without passing it on, and npm would end while the service keeps running unsupervised.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endBySignal, runInForeground } from './launch/foreground-child.mjs';
import { installIfNeeded, readLockFile } from './launch/install.mjs';
import { LaunchError } from './launch/launch-error.mjs';
import { chooseNodeBinary, NODE_FLAGS, processEnvironment } from './launch/node-binary.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Returns whether the entry is a tool of developers, such as the test runner, a benchmark or the linter. The service and
 * the command line are below src/.
 * @param {string[]} args
 */
function isTool(args) {
  const entry = args.find((argument) => !argument.startsWith('-'));
  return entry !== undefined && !path.relative(root, path.resolve(entry)).startsWith(`src${path.sep}`);
}

/** @param {string[]} args */
async function launch(args) {
  if (args.length === 0) throw new LaunchError('Usage: node scripts/launch.mjs [--node-flags...] ENTRY ARGS...');

  const lockFile = readLockFile(root);
  const nodeBinary = chooseNodeBinary({
    root,
    lockedPackages: lockFile.packages,
    platform: process.platform,
    arch: process.arch,
    currentVersion: process.versions.node,
    currentPath: process.execPath,
  });
  await installIfNeeded(root, lockFile, nodeBinary, { isForTools: isTool(args) });

  try {
    return await runInForeground(nodeBinary, [...NODE_FLAGS, ...args], {
      // Nothing is sent over the channel. It closes when this process ends, even by SIGKILL, so an entry that must not
      // outlive its launcher can listen for 'disconnect'. Other entries are unaffected: Node removes the variable from
      // the environment and does not pass the descriptor on to child processes.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: processEnvironment(root),
    });
  } catch (error) {
    throw new LaunchError(
      `${nodeBinary} could not be run: ${/** @type {Error} */ (error).message}\n` +
        'The packaged Node needs Linux with glibc (Debian, Ubuntu, Fedora; not Alpine). If this machine has it, remove node_modules and start again.',
    );
  }
}

try {
  const { code, signal } = await launch(process.argv.slice(2));
  if (signal !== null) endBySignal(signal);
  else process.exit(code ?? 1);
} catch (error) {
  if (!(error instanceof LaunchError)) throw error;
  console.error(error.message);
  process.exit(1);
}
