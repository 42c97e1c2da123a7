import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../../src/platform/database/index.ts';
import { type TemplateContent, type TemplateCopy, templateKey } from './database-template.ts';
import { copyOfPgliteTemplate } from './pglite-template.ts';
import { copyOfPostgresTemplate } from './postgres-template.ts';
import { resetToMark } from './reset-database.ts';

export interface OpenCopy {
  readonly database: Database;
  readonly location: TemplateCopy['location'];
  /** Closes and removes it, or keeps it for the next test with the same content. */
  release(): Promise<void>;
}

interface OpenTemplate {
  readonly database: Database;
  readonly copy: TemplateCopy;
}

/** Short: the next test, if any, follows immediately, and an open database would keep the process running. */
let keepMs = 100;
const MAX_TIMER_MS = 2 ** 31 - 1;

const idle = new Map<string, { readonly one: OpenTemplate; readonly timer: NodeJS.Timeout }>();

/**
 * Keeps idle databases open for the tests of later files in this process.
 * @returns a function that closes them; the process runs until it is called
 */
export function keepIdleDatabases(): () => Promise<void> {
  keepMs = MAX_TIMER_MS;
  return async () => {
    keepMs = 0;
    for (const key of [...idle.keys()]) await discard(takeIdle(key) as OpenTemplate);
  };
}

/**
 * Returns a database with the content: the reset database of the previous test, or a new one. Opening an embedded
 * database takes about 500 ms of CPU time, a reset 25 ms. A new database on a server has cold caches.
 *
 * @param server the URL of a PostgreSQL server; undefined for an embedded database
 */
export async function takeDatabase(content: TemplateContent, server: string | undefined): Promise<OpenCopy> {
  const shared = await sharedContent(content);
  const key = `${server === undefined ? 'pglite' : 'postgres'}:${templateKey(shared)}`;
  const one = takeIdle(key) ?? (await open(shared, server));
  return {
    database: one.database,
    location: one.copy.location,
    release: async () => {
      const isReset = one.database.isOpen() && (await reset(one.database).catch(() => false));
      if (!isReset || idle.has(key)) return discard(one);
      const timer = setTimeout(() => {
        idle.delete(key);
        void discard(one);
      }, keepMs);
      idle.set(key, { one, timer });
    },
  };
}

/**
 * Tests that need the tables of some rooms get all tables, so that one database serves them one after another. Tests with
 * migrations of their own, or with none, get exactly those.
 */
async function sharedContent(content: TemplateContent): Promise<TemplateContent> {
  if (content.migrations.length === 0) return content;
  const { MIGRATIONS } = await import('../../../src/compose/migrations.ts');
  const isPart = content.migrations.every((domain) => MIGRATIONS.includes(domain));
  return isPart ? { migrations: MIGRATIONS, queue: true } : content;
}

function takeIdle(key: string): OpenTemplate | undefined {
  const found = idle.get(key);
  clearTimeout(found?.timer);
  idle.delete(key);
  return found?.one;
}

async function open(content: TemplateContent, server: string | undefined): Promise<OpenTemplate> {
  const copy = await (server === undefined ? copyOfPgliteTemplate(content) : copyOfPostgresTemplate(server, content));
  return { copy, database: await openDatabase(copy.location) };
}

async function reset(database: Database): Promise<boolean> {
  return (database.kind === 'pglite' || (await hasNoQueue(database))) && (await resetToMark(database));
}

/** Returns whether the connections of the test's queues have ended. They end shortly after they are closed. */
async function hasNoQueue(database: Database): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and application_name = 'almanac-queue'`.execute(
      database.query(),
    );
    if (rows.length === 0) return true;
    await sleep(10);
  }
  return false;
}

async function discard({ database, copy }: OpenTemplate): Promise<void> {
  await database.close();
  await copy.remove();
}
