import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  type Database,
  type DatabaseOptions,
  type DomainMigrations,
  migrate,
} from '../../../src/platform/database/index.ts';
import { openQueue } from '../../../src/platform/queue/index.ts';

/** The content of a template. Tests with the same content share one. */
export interface TemplateContent {
  readonly migrations: readonly DomainMigrations[];
  readonly queue: boolean;
}

/** A test's own copy of a template. */
export interface TemplateCopy {
  readonly location: DatabaseOptions;
  remove(): Promise<void>;
}

/** Adds the content to a new database. */
export async function fillTemplate(database: Database, { migrations, queue }: TemplateContent): Promise<void> {
  await migrate(database, migrations);
  if (queue) await (await openQueue(database, { queues: [], supervise: false })).stop();
}

/**
 * Returns the name of a template by its sources, so that a changed migration or library never uses an old template. The
 * sources are the text of each migration and every file in a `migrations` folder, for the helpers it calls.
 */
export function templateKey(content: TemplateContent): string {
  const { migrations, queue } = content;
  const known = (queue ? keysWithQueue : keys).get(migrations);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  for (const domain of migrations) {
    for (const [name, migration] of Object.entries(domain.migrations))
      hash.update(`${domain.domain}/${name}:${migration.up}\n`);
  }
  hash
    .update(migrations.length > 0 ? migrationFiles() : '')
    .update(libraries())
    .update(`queue:${queue}, marked 3`);
  const key = hash.digest('hex').slice(0, 16);
  (queue ? keysWithQueue : keys).set(migrations, key);
  return key;
}

/** The keys by the list of migrations: reading the sources again for every test takes 20 ms. */
const keys = new WeakMap<readonly DomainMigrations[], string>();
const keysWithQueue = new WeakMap<readonly DomainMigrations[], string>();

/** Part of the name of everything that a run creates on disk or server, so that later runs can remove it. */
export const runName = `${createHash('sha256').update(hostname()).digest('hex').slice(0, 6)}_${process.pid}`;

/** Returns whether a name with `runName` belongs to an ended process of this machine. */
export function isLeftover(name: string): boolean {
  const [, host, pid] = /_([0-9a-f]{6})_(\d+)_/.exec(name) ?? [];
  if (pid === undefined || host !== runName.slice(0, 6)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const root = join(import.meta.dirname, '../../..');

function migrationFiles(): string {
  const files = [...globSync('src/**/migrations/*.ts', { cwd: root }), 'src/platform/database/migrate.ts'].sort();
  return files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
}

function libraries(): string {
  const packages = ['@electric-sql/pglite', 'pg-boss', 'kysely'];
  return packages
    .map((name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version)
    .join();
}
