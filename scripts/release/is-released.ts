import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readReleaseExpected } from '../../test/upgrade/expected.ts';
import { listReleaseFixtures } from '../../test/upgrade/fixtures.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Returns whether the repository has the tag of a version. Throws outside a repository, where this is unknown. */
export function isReleased(version: string, repository = ROOT): boolean {
  return (
    execFileSync('git', ['tag', '--list', `v${version}`], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim() !== ''
  );
}

/** Returns whether a released build has this version of the interface. */
export function isInterfaceReleased(version: string): boolean {
  return listReleaseFixtures().some(
    (fixture) => isReleased(fixture.name) && readReleaseExpected(fixture, 'pglite').interface === version,
  );
}
