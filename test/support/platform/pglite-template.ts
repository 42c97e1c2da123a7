import {
  accessSync,
  constants,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../../src/calendar/index.ts';
import { lockFolder } from '../../../src/platform/database/folder-lock.ts';
import { openDatabase } from '../../../src/platform/database/index.ts';
import { locatePgliteFiles } from '../../../src/platform/database/pglite-files.ts';
import {
  fillTemplate,
  isLeftover,
  runName,
  type TemplateContent,
  type TemplateCopy,
  templateKey,
} from './database-template.ts';
import { markState } from './reset-database.ts';

/** Templates stay between runs; copies do not. */
const templates = join(tmpdir(), `almanac-test-templates-${userInfo().uid}`);
const copies = join(fastFolder(), `almanac-test-copies-${userInfo().uid}`);

const ready = new Map<string, Promise<string>>();
let count = 0;

/** Returns a new data folder with the content, marked for resets. A copy takes about 40 ms, a new database seconds. */
export async function copyOfPgliteTemplate(content: TemplateContent): Promise<TemplateCopy> {
  if (ready.size === 0) removeLeftoverCopies();
  const key = templateKey(content);
  const template = ready.get(key) ?? findOrCreateTemplate(content);
  ready.set(key, template);
  count += 1;
  const folder = join(copies, `copy_${runName}_${count}`);
  copyFiles(await template, folder);
  return { location: { folder }, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Removes the copies of killed runs, and templates that were not used for a week: each change leaves one. */
export function removeLeftoverCopies(): void {
  for (const name of namesIn(copies).filter(isLeftover)) rmSync(join(copies, name), { recursive: true, force: true });
  const weekAgo = Date.now() - 7 * DAY_MS;
  for (const template of namesIn(templates).map((name) => join(templates, name))) {
    const used = statSync(template, { throwIfNoEntry: false });
    if (used?.isDirectory() && used.mtimeMs < weekAgo) rmSync(template, { recursive: true, force: true });
  }
}

/** Creates the template under a lock: test files run in separate processes, and the first one creates it for all. */
async function findOrCreateTemplate(content: TemplateContent): Promise<string> {
  const template = join(templates, templateKey(content));
  if (!exists(template)) {
    const lock = await lockFolder(templates, 120_000);
    try {
      const empty = join(templates, templateKey({ migrations: [], queue: false }));
      if (!exists(empty)) await createTemplate(empty, createEmpty);
      if (!exists(template)) await createTemplate(template, (folder) => fillCopy(empty, folder, content));
    } finally {
      lock.release();
    }
  }
  utimesSync(template, new Date(), new Date());
  return template;
}

/** Creates it in another folder and renames it, so that no process finds an incomplete template. */
async function createTemplate(template: string, create: (folder: string) => Promise<void>): Promise<void> {
  const unfinished = `${template}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await create(unfinished);
  renameSync(unfinished, template);
}

async function createEmpty(folder: string): Promise<void> {
  const database = await openDatabase({ folder });
  try {
    await markState(database);
  } finally {
    await database.close();
  }
}

async function fillCopy(empty: string, folder: string, content: TemplateContent): Promise<void> {
  copyFiles(empty, folder);
  const database = await openDatabase({ folder });
  try {
    await fillTemplate(database, content);
    await markState(database);
  } finally {
    await database.close();
  }
}

/** Copies the files of the database without the lock. Clones blocks if the file system supports it. */
function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(locatePgliteFiles(from), locatePgliteFiles(to), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

function namesIn(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return readdirSync(folder);
}

/** Returns a folder in memory if there is enough (a copy takes about 40 MB), otherwise the temporary folder. */
function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    accessSync('/dev/shm', constants.W_OK);
    return bavail * bsize > 2 * 1024 ** 3 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

function exists(folder: string): boolean {
  try {
    accessSync(locatePgliteFiles(folder));
    return true;
  } catch {
    return false;
  }
}
