import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockInstallation } from '../package/installation-lock.ts';
import { packInto } from '../package/pack.ts';
import type { Architecture } from './architecture.ts';

/** The folder of the installation, as in deploy/systemd. */
export const INSTALLATION = 'opt/almanac';
export const DATA_FOLDER = 'var/lib/almanac';

/** The command line: the image has no shell, and no `env` that would find the Node of the package. */
const COMMAND = `#!/${INSTALLATION}/node_modules/.bin/node
import('/${INSTALLATION}/node_modules/almanac/bin/almanac.mjs');
`;

/** Installs the package with the versions of the lock file, for any architecture. */
export function writeAlmanacFiles(root: string, architecture: Architecture, workspace: string): void {
  const folder = path.join(root, INSTALLATION);
  mkdirSync(folder, { recursive: true });
  const tarball = packInto(mkdtempSync(path.join(workspace, 'package.')));
  for (const [name, text] of Object.entries(lockInstallation(tarball, readManifest(tarball)))) {
    writeFileSync(path.join(folder, name), text);
  }
  const beside = path.join(folder, path.basename(tarball));
  writeFileSync(beside, readFileSync(tarball));
  const system = ['--os=linux', `--cpu=${architecture.npm}`, '--libc=glibc'];
  execFileSync(
    'npm',
    ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...system],
    { cwd: folder, stdio: ['ignore', 2, 2] },
  );
  rmSync(beside);
  removeUnused(folder, architecture);

  mkdirSync(path.join(root, 'usr/bin'), { recursive: true });
  writeFileSync(path.join(root, 'usr/bin/almanac'), COMMAND);
  chmodSync(path.join(root, 'usr/bin/almanac'), 0o755);
  symlinkSync(`/${INSTALLATION}/node_modules/.bin/node`, path.join(root, 'usr/bin/node'));
  mkdirSync(path.join(root, DATA_FOLDER), { recursive: true });
}

function readManifest(tarball: string) {
  return JSON.parse(
    execFileSync('tar', ['--extract', '--to-stdout', '--file', tarball, 'package/package.json'], { encoding: 'utf8' }),
  );
}

/** Removes what the packages have for other systems, and the headers of Node: more than a third of the installation. */
function removeUnused(folder: string, { npm }: Architecture): void {
  const unused = [
    `onnxruntime-node/bin/napi-v*/!(linux)`,
    `onnxruntime-node/bin/napi-v*/linux/!(${npm})`,
    `node-linux-${npm}/include`,
    `node-linux-${npm}/share`,
  ];
  for (const pattern of unused) {
    const found = globSync(path.join(folder, 'node_modules', pattern));
    if (found.length === 0)
      throw new Error(`The installation has no ${pattern}; is the list of what is unused current?`);
    for (const one of found) rmSync(one, { recursive: true });
  }
}
