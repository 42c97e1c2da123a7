import type { Migration } from 'kysely/migration';
import { NewerDatabaseError } from './errors.ts';

/** The migrations one domain owns. Names sort in the order they run (`0001-callers`, `0002-…`) and never change. */
export interface DomainMigrations {
  readonly domain: string;
  readonly migrations: Readonly<Record<string, Migration>>;
}

export interface MigrationName {
  readonly domain: string;
  readonly name: string;
}

export interface PlannedMigration extends MigrationName {
  readonly migration: Migration;
}

/** What is still to run, in order: domains as given, each domain's migrations by name. Throws when the database is ahead. */
export function planMigrations(
  domains: readonly DomainMigrations[],
  done: readonly MigrationName[],
): PlannedMigration[] {
  const known = new Set(
    domains.flatMap(({ domain, migrations }) => Object.keys(migrations).map((name) => `${domain}/${name}`)),
  );
  const unknown = done.map(fullName).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new NewerDatabaseError(
      `The database was migrated by a newer build: this one does not know ${unknown.join(', ')}. ` +
        'Nothing was changed. Start that build, or restore a backup made before it.',
    );
  }
  return domains.flatMap(({ domain, migrations }) => pendingOf(domain, migrations, done));
}

/** `domain/name`, as messages and logs show it. */
export function fullName({ domain, name }: MigrationName): string {
  return `${domain}/${name}`;
}

function pendingOf(
  domain: string,
  migrations: DomainMigrations['migrations'],
  done: readonly MigrationName[],
): PlannedMigration[] {
  const doneNames = done.filter((entry) => entry.domain === domain).map((entry) => entry.name);
  const lastDone = doneNames.sort().at(-1);
  const pending = Object.entries(migrations)
    .filter(([name]) => !doneNames.includes(name))
    .map(([name, migration]) => ({ domain, name, migration }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const late = pending.find(({ name }) => lastDone !== undefined && name < lastDone);
  // Running it now would give this database another history than a fresh one.
  if (late !== undefined)
    throw new Error(`Migration ${fullName(late)} must sort after ${domain}/${lastDone}, which has run already.`);
  return pending;
}
