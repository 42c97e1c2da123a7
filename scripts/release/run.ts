// Makes the fixture of the present version, which every later build opens in its tests (test/upgrade/README.md):
//
//   scripts/with-postgres.sh npm run release:fixture [-- --replace]
//
// --replace: write it again, as long as the version has no tag

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readVersion } from '../../src/platform/index.ts';
import { temporaryFolder } from '../../test/support/cli/service.ts';
import { fixtureOfRelease } from '../../test/upgrade/fixtures.ts';
import { findMachineFacts } from './find-machine-facts.ts';
import { FIXTURE_FILES, type FixtureFile } from './fixture-files.ts';
import { isReleased } from './is-released.ts';
import { makeFixture } from './make-fixture.ts';
import { compress } from './pack-folder.ts';

const { values } = parseArgs({ options: { replace: { type: 'boolean', default: false } } });
if (process.env.TEST_DATABASE_URL === undefined) {
  throw new Error('A fixture needs PostgreSQL. Run scripts/with-postgres.sh npm run release:fixture.');
}
const version = readVersion();
const { folder } = fixtureOfRelease(version);
if (existsSync(folder) && isReleased(version)) {
  throw new Error(
    `${version} is released: it has the tag v${version}. Its fixture does not change. Raise the version first.`,
  );
}
if (existsSync(folder) && !values.replace) {
  throw new Error(`${folder} exists. As ${version} has no tag yet, --replace writes it again.`);
}

const key = randomBytes(32);
const work = temporaryFolder();
const files = new Map<FixtureFile, Buffer>([['backup.key', key]]);
try {
  const keyFile = join(work, 'backup.key');
  writeFileSync(keyFile, key, { mode: 0o600 });
  for (const kind of ['pglite', 'postgres'] as const) {
    const startedAt = performance.now();
    const { expected, data, backup } = await makeFixture(kind, keyFile);
    const answers = Buffer.from(JSON.stringify(expected));
    const facts = [data, answers].flatMap(findMachineFacts);
    if (facts.length > 0) throw new Error(`The fixture names this machine: ${facts.join(', ')}. Nothing was written.`);
    files.set(kind === 'pglite' ? 'data-folder.br' : 'postgres.sql.br', compress(data));
    files.set(`expected.${kind}.json.br`, compress(answers));
    if (backup) files.set('almanac.backup', backup);
    console.log(
      `${kind}: ${expected.answers.length} responses in ${Math.round((performance.now() - startedAt) / 1000)} s`,
    );
  }
} finally {
  rmSync(work, { recursive: true });
}
const missing = FIXTURE_FILES.filter((name) => !files.has(name));
if (missing.length > 0) throw new Error(`The fixture has no ${missing.join(', ')}. Nothing was written.`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, content] of files) {
  writeFileSync(join(folder, name), content);
  console.log(`${name}: ${content.length} bytes`);
}
