// Checks the types of the service, and of the console's scripts and the typed client, which run in browsers and have other
// libraries:
//
//   npm run typecheck

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
for (const project of ['.', 'web', 'client']) {
  const { status } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', project], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
