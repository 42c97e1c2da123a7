import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stagePackage } from './stage.ts';

/** Packs what an installation needs into a folder, and returns the path of the tarball. */
export function packInto(folder: string): string {
  const staged = mkdtempSync(path.join(tmpdir(), 'almanac-package.'));
  try {
    stagePackage(staged);
    mkdirSync(folder, { recursive: true });
    const output = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
      cwd: staged,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return path.join(folder, output.trim());
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}
