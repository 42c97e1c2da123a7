import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** A small file system in memory, which can be filled. */
export interface Disk {
  readonly path: string;
  /** Uses up all free space. */
  fill(): void;
  free(): void;
}

const BALLAST = 'ballast';

/** @param owner the user of its files */
export function mountDisk(path: string, mebibytes: number, owner = 'root'): Disk {
  mkdirSync(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'tmpfs', path]);
  execFileSync('chown', [owner, path]);
  const ballast = join(path, BALLAST);
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      if (bavail === 0) return;
      try {
        execFileSync('fallocate', ['--length', String(bavail * bsize), ballast], { stdio: 'ignore' });
      } catch {
        // Other files grew meanwhile, so that the disk was full before the ballast was complete.
      }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}
