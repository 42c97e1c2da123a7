import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { INTERFACE_VERSION } from '../../src/contract/index.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';
import { readVersion } from '../../src/platform/index.ts';
import { readReleaseExpected } from '../../test/upgrade/expected.ts';
import { fixtureOfRelease, listReleaseFixtures } from '../../test/upgrade/fixtures.ts';
import { presentDocument, releasedFile } from '../openapi/documents.ts';
import { digestOfMigrations, FIXTURE_FILES } from './fixture-files.ts';
import { isLater, parseChangelog, readChangelog } from './read-changelog.ts';

const ROOT = join(import.meta.dirname, '../..');
const { unreleased, releases } = readChangelog();
const version = readVersion();

/** The kinds of changes of Keep a Changelog. */
const SECTIONS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

test('the newest release of the changelog is the version of the build', () => {
  assert.equal(releases[0]?.version, version);
});

test('each release of the changelog has a version, a date and sections, and the newest comes first', () => {
  for (const [i, release] of releases.entries()) {
    assert.match(release.version, /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/);
    assert.equal(new Date(release.date).toISOString().slice(0, 10), release.date, release.version);
    assert.ok(release.sections.length > 0, release.version);
    assert.deepEqual(new Set(release.sections).size, release.sections.length, `${release.version} has a section twice`);
    for (const section of release.sections) assert.ok(SECTIONS.includes(section), `${release.version}: ${section}`);
    const earlier = releases[i + 1];
    if (earlier === undefined) continue;
    assert.ok(isLater(release.version, earlier.version), `${release.version} is not later than ${earlier.version}`);
    assert.ok(release.date >= earlier.date, `${release.version} is older than ${earlier.version}`);
  }
});

test('reads the sections of a changelog', () => {
  const text = '# Changelog\n\n## Unreleased\n\n- a\n\n## 1.10.0 - 2027-01-31\n\n### Fixed\n\n- b\n\n## 1.9.1 - x\n';
  const parsed = parseChangelog(text);
  assert.equal(parsed.unreleased, '- a');
  assert.deepEqual(parsed.releases, [
    { version: '1.10.0', date: '2027-01-31', sections: ['Fixed'], text: '### Fixed\n\n- b' },
    { version: '1.9.1', date: 'x', sections: [], text: '' },
  ]);
  assert.ok(isLater('1.10.0', '1.9.1'));
  assert.throws(() => parseChangelog('# Changelog\n\n## 1.0.0 - 2026-01-01\n'), /no section Unreleased/);
});

test('the packages have one version each, and the clients the major version of the interface', () => {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const lock = JSON.parse(read('package-lock.json'));
  assert.deepEqual([lock.version, lock.packages[''].version], [version, version]);
  const python = /^version = "(.*)"$/m.exec(read('clients/python/pyproject.toml'))?.[1];
  for (const client of [JSON.parse(read('client/package.json')).version, python])
    assert.equal(client.split('.')[0], INTERFACE_VERSION.split('.')[0]);
});

test('each release has a fixture, and each fixture a release', () => {
  const versions = releases.map((release) => release.version);
  assert.deepEqual(
    listReleaseFixtures().map(({ name }) => name),
    versions.toReversed(),
  );
  for (const { folder } of versions.map(fixtureOfRelease))
    for (const name of FIXTURE_FILES) assert.ok(existsSync(join(folder, name)), `${folder} has no ${name}`);
});

// Later changes may make the next document, engine and migrations.
test('the commit of a release keeps its interface, its engine and its data', { skip: unreleased !== '' }, () => {
  const kept = readFileSync(releasedFile(INTERFACE_VERSION), 'utf8');
  assert.equal(kept, `${JSON.stringify(presentDocument())}\n`, 'run: npm run openapi -- --keep');
  assert.ok(existsSync(join(ROOT, `engines/${ENGINE_VERSION}.mjs`)), 'run: npm run engine');
  for (const kind of ['pglite', 'postgres'] as const) {
    const expected = readReleaseExpected(fixtureOfRelease(version), kind);
    assert.deepEqual(
      [expected.build, expected.interface, expected.engine, expected.migrations],
      [version, INTERFACE_VERSION, ENGINE_VERSION, digestOfMigrations()],
      'run: scripts/with-postgres.sh npm run release:fixture -- --replace',
    );
  }
});
