// Packs what an installation needs, as almanac-VERSION.tgz:
//
//   npm run package               writes to release/
//   npm run package -- FOLDER     writes to another folder

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stagePackage } from './stage.ts';

const folder = path.resolve(process.argv[2] ?? 'release');
const staged = mkdtempSync(path.join(tmpdir(), 'almanac-package.'));
try {
  stagePackage(staged);
  mkdirSync(folder, { recursive: true });
  const output = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: staged,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  console.log(path.join(folder, output.trim()));
} finally {
  rmSync(staged, { recursive: true, force: true });
}
