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
import { lockFolder } from '../../src/platform/database/folder-lock.ts';
import { openDatabase } from '../../src/platform/database/index.ts';
import { pgliteFiles } from '../../src/platform/database/pglite-files.ts';
import {
  fillTemplate,
  isLeftover,
  runName,
  type TemplateContent,
  type TemplateCopy,
  templateKey,
} from './database-template.ts';

/** Templates stay between runs; copies do not. */
const templates = join(tmpdir(), `almanac-test-templates-${userInfo().uid}`);
const copies = join(fastFolder(), `almanac-test-copies-${userInfo().uid}`);

const ready = new Map<string, Promise<string>>();
let count = 0;

/** A fresh data folder with the content in it. Copying takes about 40 ms; making the database anew takes seconds. */
export async function copyOfPgliteTemplate(content: TemplateContent): Promise<TemplateCopy> {
  const key = templateKey(content);
  const template = ready.get(key) ?? findOrMakeTemplate(key, content);
  ready.set(key, template);
  count += 1;
  const folder = join(copies, `copy_${runName}_${count}`);
  copyFiles(await template, folder);
  return { location: { folder }, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Makes the template under a lock: test files run as processes of their own, and the first one makes it for all. */
async function findOrMakeTemplate(key: string, content: TemplateContent): Promise<string> {
  mkdirSync(templates, { recursive: true, mode: 0o700 });
  removeLeftovers();
  const template = join(templates, key);
  if (exists(template)) {
    utimesSync(template, new Date(), new Date());
    return template;
  }
  const lock = await lockFolder(templates, 120_000);
  try {
    const empty = join(templates, 'empty');
    if (!exists(empty)) await makeTemplate(empty, undefined, async () => undefined);
    if (!exists(template)) await makeTemplate(template, empty, (folder) => fill(folder, content));
    return template;
  } finally {
    lock.release();
  }
}

async function makeTemplate(
  template: string,
  from: string | undefined,
  change: (folder: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${template}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  if (from === undefined) await (await openDatabase({ folder: unfinished })).close();
  else copyFiles(from, unfinished);
  await change(unfinished);
  renameSync(unfinished, template);
}

async function fill(folder: string, content: TemplateContent): Promise<void> {
  const database = await openDatabase({ folder });
  await fillTemplate(database, content);
  await database.close();
}

/** The database's files only: a lock is not part of a template. Clones blocks where the file system can. */
function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(pgliteFiles(from), pgliteFiles(to), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

function removeLeftovers(): void {
  mkdirSync(copies, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(copies)) {
    if (isLeftover(name)) rmSync(join(copies, name), { recursive: true, force: true });
  }
  for (const name of readdirSync(templates)) {
    // Every change of a migration leaves a template behind. One that no run used for a week is of no more use.
    const template = join(templates, name);
    if (Date.now() - statSync(template).mtimeMs > 7 * 24 * 60 * 60 * 1000)
      rmSync(template, { recursive: true, force: true });
  }
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
