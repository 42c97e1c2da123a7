import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { hashMigrations, type SchemaMigration } from '../../src/platform/index.ts';

/** The list of migrations with their hashes and marks, which a test compares with the code. */
export const HASHES_FILE = join(import.meta.dirname, '../../test/upgrade/migrations.txt');

/** Returns what the list has of each migration: its hash and, except for the first ones, its mark. */
export function readRecordedMigrations(): Map<string, string> {
  const lines = readFileSync(HASHES_FILE, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
}

/** Returns what the list must have of a migration. */
export function formatMigration(hash: string, { compatible }: SchemaMigration): string {
  return compatible === undefined ? hash : `${hash} ${compatible ? 'compatible' : 'incompatible'}`;
}

/** Returns the list with the migrations that it does not have yet. It keeps the lines of all others. */
export async function migrationHashes(): Promise<string> {
  const recorded = readRecordedMigrations();
  const migrations = await hashMigrations(MIGRATIONS);
  const lines = migrations.map(({ domain, name, hash, migration }) => {
    const fullName = `${domain}/${name}`;
    const known = recorded.get(fullName);
    if (known === undefined && migration.compatible === undefined) {
      throw new Error(
        `The migration ${fullName} must state whether the previous build can use the database after it: ` +
          'export const compatible = true, or false. CONTRIBUTING.md lists what makes a migration compatible.',
      );
    }
    return `${fullName} ${known ?? formatMigration(hash, migration)}\n`;
  });
  return lines.join('');
}
