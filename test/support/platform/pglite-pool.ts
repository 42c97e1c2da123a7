import { type Database, openDatabase } from '../../../src/platform/database/index.ts';
import { type TemplateContent, type TemplateCopy, templateKey } from './database-template.ts';
import { copyOfPgliteTemplate } from './pglite-template.ts';
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

/** The next test follows immediately, or there is none; an open database would keep the process running. */
let keepMs = 100;
const MAX_TIMER_MS = 2 ** 31 - 1;

const idle = new Map<string, { readonly one: OpenTemplate; readonly timer: NodeJS.Timeout }>();

/**
 * Keeps idle databases open for the tests of later files in this process.
 * @returns a function that closes them; the process runs until it was called
 */
export function keepIdleDatabases(): () => Promise<void> {
  keepMs = MAX_TIMER_MS;
  return async () => {
    keepMs = 0;
    for (const key of [...idle.keys()]) await discard(takeIdle(key) as OpenTemplate);
  };
}

/**
 * Returns an embedded database with the content: the reset database of the previous test, or a new one. Opening takes about
 * 500 ms of CPU, a reset 25.
 */
export async function takePglite(content: TemplateContent): Promise<OpenCopy> {
  const shared = await sharedContent(content);
  const key = templateKey(shared);
  const one = takeIdle(key) ?? (await open(shared));
  return {
    database: one.database,
    location: one.copy.location,
    release: async () => {
      const isReset = one.database.isOpen() && (await resetToMark(one.database).catch(() => false));
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

async function open(content: TemplateContent): Promise<OpenTemplate> {
  const copy = await copyOfPgliteTemplate(content);
  return { copy, database: await openDatabase(copy.location) };
}

async function discard({ database, copy }: OpenTemplate): Promise<void> {
  await database.close();
  await copy.remove();
}
