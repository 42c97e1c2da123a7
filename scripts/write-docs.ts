import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collectionFiles } from './docs/collection/collection-files.ts';
import { configurationPage } from './docs/configuration-page.ts';
import { errorsPage } from './docs/errors-page.ts';
import { migrationHashes } from './docs/migration-hashes.ts';
import { PICTURES } from './docs/pictures/index.ts';

/**
 * Writes the pages, the pictures and the collection of requests in docs/ that are generated from the code, and the list
 * of migrations. With --check, writes nothing and fails if one of them is stale.
 */
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'configuration.md': configurationPage,
  'errors.md': errorsPage,
  '../test/upgrade/migrations.txt': migrationHashes,
  ...Object.fromEntries(Object.entries(collectionFiles()).map(([name, text]) => [`collection/${name}`, () => text])),
  ...Object.fromEntries(Object.entries(PICTURES).map(([name, draw]) => [`pictures/${name}`, draw])),
};

const folder = join(import.meta.dirname, '../docs');
const check = process.argv.includes('--check');
const generated = await Promise.all(
  Object.entries(PAGES).map(async ([name, generate]) => ({
    name,
    file: join(folder, name),
    content: await generate(),
  })),
);
const stale = generated.filter(({ file, content }) => read(file) !== content);
// Requests of operations that no longer exist.
const left = globSync('collection/**/*.{bru,json}', { cwd: folder }).filter((name) => !(name in PAGES));

const names = [...stale.map(({ name }) => name), ...left];

if (check && names.length > 0) {
  process.stderr.write(`Stale: ${names.map((name) => join('docs', name)).join(', ')}. Run: npm run docs\n`);
  process.exitCode = 1;
} else if (!check) {
  for (const name of left) rmSync(join(folder, name));
  for (const { file, content } of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
