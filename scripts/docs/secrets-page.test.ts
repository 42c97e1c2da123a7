import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROTATABLE_KINDS } from '../../src/cli/secrets/kinds.ts';
import { PRIVATE_FILES, SETTING_PURPOSES } from '../../src/cli/secrets/purposes.ts';
import { SECRET_SETTING_NAMES, SIGNING_KEY_NAMES } from '../../src/platform/index.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/secrets.md'), 'utf8');
const [, places = ''] = page.split('## Where each is');
/** The first column of the table. */
const listed = places
  .split('\n## ', 1)[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|')[1] ?? '')
  .join('\n');

test('the page lists every secret: keys of the service, settings and private files', () => {
  for (const name of [
    ...ROTATABLE_KINDS,
    ...SIGNING_KEY_NAMES,
    ...SECRET_SETTING_NAMES,
    ...Object.keys(PRIVATE_FILES),
  ]) {
    assert.ok(listed?.includes(`\`${name}\``), name);
  }
});

test('every secret setting has a purpose in the list of the command line', () => {
  assert.deepEqual(Object.keys(SETTING_PURPOSES).toSorted(), [...SECRET_SETTING_NAMES].toSorted());
});
