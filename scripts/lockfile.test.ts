import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';

// A lock file written on one architecture can omit the other one, and npm then installs without the binary and without an
// error. These tests check on any machine that the lock file is complete for both.

type LockedPackage = {
  version: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const root = path.dirname(import.meta.dirname);
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const locked: Record<string, LockedPackage> = JSON.parse(
  readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
).packages;
const installed = Object.entries(locked).filter(([folder, { link }]) => folder !== '' && !link);
const DEPENDENCY_KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

test('every package for Linux is locked in the same version for x64 and arm64', () => {
  const families = new Set<string>();
  for (const [folder] of installed) {
    if (/linux(musl)?-(x64|arm64)/.test(folder)) families.add(folder.replace(/-(x64|arm64)/, '-ARCH'));
  }
  for (const family of ['node-linux-ARCH', '@biomejs/cli-linux-ARCH', '@typescript/typescript-linux-ARCH']) {
    assert.ok(families.has(`node_modules/${family}`), `${family} is not in the lock file for either architecture`);
  }
  for (const family of families) {
    const x64 = locked[family.replace('ARCH', 'x64')];
    const arm64 = locked[family.replace('ARCH', 'arm64')];
    assert.ok(x64, `${family} lacks x64`);
    assert.ok(arm64, `${family} lacks arm64`);
    assert.equal(x64.version, arm64.version, family);
  }
});

test('every locked package has a checksum and no URL, so that any registry can serve it', () => {
  for (const [folder, { integrity, resolved }] of installed) {
    assert.match(integrity ?? '', /^sha512-/, `${folder} has no sha512`);
    assert.equal(resolved, undefined, `${folder} is tied to one registry`);
  }
});

test('every dependency is pinned to an exact version', () => {
  for (const kind of DEPENDENCY_KINDS) {
    for (const [name, version] of Object.entries<string>(manifest[kind] ?? {})) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} in ${kind}`);
    }
  }
});

test('package.json and the lock file list the same dependencies', () => {
  const lockedRoot = locked[''] as unknown as Record<string, unknown>;
  for (const kind of DEPENDENCY_KINDS) assert.deepEqual(lockedRoot[kind] ?? {}, manifest[kind] ?? {}, kind);
});

test('every dependency of a locked package is locked, because npm ci refuses the file otherwise', () => {
  const missing: string[] = [];
  for (const [folder, { dependencies, optionalDependencies }] of installed) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!lookupFolders(folder).some((parent) => `${parent}node_modules/${name}` in locked)) {
        missing.push(`${name} (of ${folder})`);
      }
    }
  }
  assert.deepEqual(missing, []);
});

/** Returns the folders whose node_modules Node searches for the dependencies of a package: its own and those above it. */
function lookupFolders(folder: string): string[] {
  const parents = [''];
  for (let at = folder.indexOf('/node_modules/'); at !== -1; at = folder.indexOf('/node_modules/', at + 1)) {
    parents.push(`${folder.slice(0, at)}/`);
  }
  return [...parents, `${folder}/`];
}

test('the service imports no development package, because npm start does not install them', () => {
  const files = [...globSync('src/**/*.ts', { cwd: root }), 'scripts/create-database-template.ts'];
  const imported = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^'.][^']*)'|import\('([^'.][^']*)'\)/gm)].map(
        ([, name = '', dynamic = name]) => ({ file, name: dynamic.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? '' }),
      );
    });
  assert.ok(
    imported.some(({ name }) => name === 'kysely') && imported.some(({ name }) => name === '@electric-sql/pglite'),
  );
  const missing = imported.filter(({ name }) => !isBuiltin(name) && !(name in manifest.dependencies));
  assert.deepEqual(missing, []);
});
