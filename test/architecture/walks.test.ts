import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { allImports, readSource } from './imports.ts';
import { WALKS } from './walks.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/**
 * Rooms and folders that every request passes through, or that have no state, and what workers do every few seconds. The
 * walks leave them out.
 */
const LEFT_OUT =
  /^((platform|contract|calendar|access|engine|api\/edge|api\/limits)\/|forecasts\/run\/(worker-presence|take-over-jobs|forecast-backlogs)\.)/;

const imports = Map.groupBy(allImports(), ({ from }) => from);

/** Returns the files that a file starts as threads or processes. */
function startedBy(file: string): string[] {
  const starts = readSource(file).matchAll(/(?:new Worker|fileURLToPath)\(new URL\('([^']+)', import\.meta\.url\)/g);
  return [...starts].map(([, specifier = '']) => normalize(join(dirname(file), specifier)));
}

/** Returns the files that a file imports, also through the `index.ts` of a room and through files of the HTTP edge. */
function importedBy(file: string, seen = new Set<string>()): Set<string> {
  for (const { to } of imports.get(file) ?? []) {
    if (to === null || seen.has(to)) continue;
    seen.add(to);
    if (to.endsWith('/index.ts') || to.startsWith('api/edge/')) importedBy(to, seen);
  }
  return seen;
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
        i === 0 || earlier.some((one) => importedBy(one).has(file) || startedBy(one).includes(file)),
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
