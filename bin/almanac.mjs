#!/usr/bin/env node
// Runs the command line of an installed package on the Node that is installed with it. It is plain JavaScript because an
// older Node starts it.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endBySignal, runInForeground } from '../scripts/launch/foreground-child.mjs';
import { LaunchError } from '../scripts/launch/launch-error.mjs';
import { chooseNodeBinary, NODE_FLAGS, processEnvironment } from '../scripts/launch/node-binary.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const entry = path.join(root, 'lib/cli/almanac.js');

/** Returns the folder with the node_modules that have the dependencies: npm puts them beside or below the package. */
function findInstallation() {
  const folders = createRequire(import.meta.url).resolve.paths('fastify') ?? [];
  const found = folders.find((folder) => existsSync(path.join(folder, 'fastify')));
  if (!existsSync(entry) || found === undefined) {
    throw new LaunchError(
      `${root} is not an installed package. In a checkout, run: npm run -s almanac -- COMMAND\n` +
        'To make a package, run: npm run package (npm pack alone leaves out what has to be compiled).',
    );
  }
  return path.dirname(found);
}

/** @param {string} installation */
function findNode(installation) {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const binary = chooseNodeBinary({
    root: installation,
    lockedPackages: Object.fromEntries(
      Object.entries(optionalDependencies).map(([name, version]) => [`node_modules/${name}`, version]),
    ),
    platform: process.platform,
    arch: process.arch,
    currentVersion: process.versions.node,
    currentPath: process.execPath,
  });
  if (!existsSync(binary)) {
    throw new LaunchError(`${binary} is not installed. Install the package again, without --omit=optional.`);
  }
  return binary;
}

try {
  const installation = findInstallation();
  const args = [...NODE_FLAGS, entry, ...process.argv.slice(2)];
  const { code, signal } = await runInForeground(findNode(installation), args, {
    // The channel closes when this process ends, even by SIGKILL. Nothing is sent over it.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: processEnvironment(installation),
  });
  if (signal !== null) endBySignal(signal);
  else process.exit(code ?? 1);
} catch (error) {
  if (!(error instanceof LaunchError)) throw error;
  console.error(error.message);
  process.exit(1);
}
