import { type Database, openDatabase } from '../../../src/platform/database/index.ts';
import { type TemplateContent, type TemplateCopy, templateKey } from './database-template.ts';
import { copyOfPgliteTemplate } from './pglite-template.ts';
import { resetToMark } from './reset-database.ts';

export interface OpenCopy {
  readonly database: Database;
  readonly location: TemplateCopy['location'];
  /** Done with: it is closed and removed, or kept for the next test that wants the same. */
  giveBack(): Promise<void>;
}

interface Kept {
  readonly database: Database;
  readonly copy: TemplateCopy;
}

/** The next test follows at once, or there is none; and an open database would not let the process end. */
const KEPT_MS = 100;

const idle = new Map<string, { readonly one: Kept; readonly timer: NodeJS.Timeout }>();

/**
 * An embedded database with the content in it, and nothing else: one that the test before was done with, reset, or a new
 * one. Opening takes some 400 ms of CPU, resetting 25.
 */
export async function takePglite(content: TemplateContent): Promise<OpenCopy> {
  const key = templateKey(content);
  const one = takeIdle(key) ?? (await open(content));
  return {
    database: one.database,
    location: one.copy.location,
    giveBack: async () => {
      const isReset = one.database.isOpen() && (await resetToMark(one.database).catch(() => false));
      if (!isReset || idle.has(key)) return discard(one);
      const timer = setTimeout(() => {
        idle.delete(key);
        void discard(one);
      }, KEPT_MS);
      idle.set(key, { one, timer });
    },
  };
}

function takeIdle(key: string): Kept | undefined {
  const found = idle.get(key);
  clearTimeout(found?.timer);
  idle.delete(key);
  return found?.one;
}

async function open(content: TemplateContent): Promise<Kept> {
  const copy = await copyOfPgliteTemplate(content);
  return { copy, database: await openDatabase(copy.location) };
}

async function discard({ database, copy }: Kept): Promise<void> {
  await database.close();
  await copy.remove();
}
