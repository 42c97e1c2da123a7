import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './docs/configuration-page.ts';
import { errorsPage } from './docs/errors-page.ts';

/**
 * Writes the pages of docs/ that are made from the code. With --check it writes nothing and fails when one is stale.
 */
const PAGES = { 'configuration.md': configurationPage, 'errors.md': errorsPage };

const folder = join(import.meta.dirname, '../docs');
const check = process.argv.includes('--check');
const stale = Object.entries(PAGES).filter(([name, make]) => read(join(folder, name)) !== make());

if (check && stale.length > 0) {
  process.stderr.write(`Stale: ${stale.map(([name]) => `docs/${name}`).join(', ')}. Run: npm run docs\n`);
  process.exitCode = 1;
} else if (!check) {
  for (const [name, make] of stale) writeFileSync(join(folder, name), make());
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
