import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { hashMigrations } from '../../src/platform/index.ts';

/** The list of migrations with their hashes, which a test compares with the code. */
export const HASHES_FILE = join(import.meta.dirname, '../../test/upgrade/migrations.txt');

/** Returns the hash of each migration in the list. */
export function readRecordedHashes(): Map<string, string> {
  const lines = readFileSync(HASHES_FILE, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

/** Returns the list with the migrations that it does not have yet. It keeps the hashes of all others. */
export async function migrationHashes(): Promise<string> {
  const recorded = readRecordedHashes();
  const migrations = await hashMigrations(MIGRATIONS);
  const lines = migrations.map(({ domain, name, hash }) => {
    const fullName = `${domain}/${name}`;
    return `${fullName} ${recorded.get(fullName) ?? hash}\n`;
  });
  return lines.join('');
}
