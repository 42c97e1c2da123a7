import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HASHES_FILE } from '../docs/migration-hashes.ts';

/** The files of the fixture of a release. */
export const FIXTURE_FILES = [
  'data-folder.br',
  'expected.pglite.json.br',
  'postgres.sql.br',
  'expected.postgres.json.br',
  'almanac.backup',
  'backup.key',
] as const;

export type FixtureFile = (typeof FIXTURE_FILES)[number];

/** Returns the digest of the list of migrations, from which a test knows that a fixture is of another build. */
export function digestOfMigrations(): string {
  return createHash('sha256').update(readFileSync(HASHES_FILE)).digest('hex');
}
