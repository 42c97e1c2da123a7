import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allImports } from './imports.ts';
import { WALKS } from './walks.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** Rooms and folders that every request passes, or that have no state: the walks leave them out. */
const LEFT_OUT = /^(platform|contract|calendar|access|engine|api\/edge|api\/limits)\//;

const imports = Map.groupBy(allImports(), ({ from }) => from);

/** Returns the files that a file imports; a room's `index.ts` stands for the files that it exports. */
function importedBy(file: string): string[] {
  const direct = (imports.get(file) ?? []).flatMap(({ to }) => (to === null ? [] : [to]));
  return direct.flatMap((to) => (to.endsWith('/index.ts') ? [to, ...importedBy(to)] : [to]));
}

/** Returns the files that docs/architecture.md lists below a heading, as paths below src/. */
function listedFiles(heading: string): string[] {
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  return [...(section.split('\n### ')[0] ?? '').matchAll(/^\d+\. `src\/([^`]+)`/gm)].map(([, file = '']) => file);
}

for (const { heading, maxFiles, record } of WALKS) {
  const listed = listedFiles(heading);

  test(`${heading}: the page lists at most ${maxFiles} files, which exist and are imported by earlier ones`, () => {
    assert.ok(listed.length > 0 && listed.length <= maxFiles, `${listed.length} files are listed`);
    assert.equal(new Set(listed).size, listed.length, 'a file is listed once');
    for (const [i, file] of listed.entries()) {
      assert.ok(existsSync(join(root, 'src', file)), `${file} exists`);
      const earlier = listed.slice(0, i);
      assert.ok(
        i === 0 || earlier.some((one) => importedBy(one).includes(file)),
        `${file} is imported by an earlier one`,
      );
    }
  });

  test(`${heading}: one recorded request runs no function of other files`, async () => {
    const recorded = (await record()).filter((file) => !LEFT_OUT.test(file));
    assert.ok(recorded.length > 5, 'functions were recorded');
    const others = recorded.filter((file) => !listed.includes(file));
    assert.deepEqual(others, [], JSON.stringify(recorded, null, 1));
  });
}
