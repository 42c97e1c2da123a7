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
const KEEP_MS = 100;

const idle = new Map<string, { readonly one: OpenTemplate; readonly timer: NodeJS.Timeout }>();

/**
 * Returns an embedded database with exactly the content: the reset database of the previous test, or a new one. Opening
 * takes about 400 ms of CPU, a reset 25.
 */
export async function takePglite(content: TemplateContent): Promise<OpenCopy> {
  const key = templateKey(content);
  const one = takeIdle(key) ?? (await open(content));
  return {
    database: one.database,
    location: one.copy.location,
    release: async () => {
      const isReset = one.database.isOpen() && (await resetToMark(one.database).catch(() => false));
      if (!isReset || idle.has(key)) return discard(one);
      const timer = setTimeout(() => {
        idle.delete(key);
        void discard(one);
      }, KEEP_MS);
      idle.set(key, { one, timer });
    },
  };
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
