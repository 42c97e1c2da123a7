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
import { lockFolder } from '../../../src/platform/database/folder-lock.ts';
import { openDatabase } from '../../../src/platform/database/index.ts';
import { pgliteFiles } from '../../../src/platform/database/pglite-files.ts';
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

/** A fresh data folder with the content in it, marked so that it can be reset. Copying takes about 40 ms; making the database anew takes seconds. */
export async function copyOfPgliteTemplate(content: TemplateContent): Promise<TemplateCopy> {
  if (ready.size === 0) removeLeftoverCopies();
  const key = templateKey(content);
  const template = ready.get(key) ?? findOrMakeTemplate(content);
  ready.set(key, template);
  count += 1;
  const folder = join(copies, `copy_${runName}_${count}`);
  copyFiles(await template, folder);
  return { location: { folder }, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Removes the copies of runs that were killed, and templates that no run used for a week: each change leaves one behind. */
export function removeLeftoverCopies(): void {
  for (const name of namesIn(copies).filter(isLeftover)) rmSync(join(copies, name), { recursive: true, force: true });
  const weekAgo = Date.now() - 7 * 24 * 60 * 60 * 1000;
  for (const template of namesIn(templates).map((name) => join(templates, name))) {
    const used = statSync(template, { throwIfNoEntry: false });
    if (used?.isDirectory() && used.mtimeMs < weekAgo) rmSync(template, { recursive: true, force: true });
  }
}

/** Makes the template under a lock: test files run as processes of their own, and the first one makes it for all. */
async function findOrMakeTemplate(content: TemplateContent): Promise<string> {
  const template = join(templates, templateKey(content));
  if (!exists(template)) {
    const lock = await lockFolder(templates, 120_000);
    try {
      const empty = join(templates, templateKey({ migrations: [], queue: false }));
      if (!exists(empty)) await makeTemplate(empty, async (folder) => (await openDatabase({ folder })).close());
      if (!exists(template)) await makeTemplate(template, (folder) => fillCopy(empty, folder, content));
    } finally {
      lock.release();
    }
  }
  utimesSync(template, new Date(), new Date());
  return template;
}

/** Makes it beside its place and moves it there, so that nobody ever finds half a template. */
async function makeTemplate(template: string, make: (folder: string) => Promise<void>): Promise<void> {
  const unfinished = `${template}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await make(unfinished);
  renameSync(unfinished, template);
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

/** The database's files only: a lock is not part of a template. Clones blocks where the file system can. */
function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(pgliteFiles(from), pgliteFiles(to), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

function namesIn(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return readdirSync(folder);
}

/** Memory where there is plenty (each copy takes about 40 MB), else the usual temporary folder. */
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
    accessSync(pgliteFiles(folder));
    return true;
  } catch {
    return false;
  }
}
