import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { lockInstallation } from './installation-lock.ts';
import { listRuntimePackages, readLockEntries } from './locked-packages.ts';
import { lockedDependencies } from './stage.ts';

test('the lock of an installation has the package and every other one as the checkout locks it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'almanac-lock-test-'));
  try {
    const tarball = path.join(folder, 'almanac-1.2.3.tgz');
    writeFileSync(tarball, 'content');
    const manifest = {
      name: 'almanac',
      version: '1.2.3',
      license: 'Apache-2.0',
      bin: { almanac: 'bin/almanac.mjs' },
      engines: { node: '>=20' },
      dependencies: lockedDependencies(),
      optionalDependencies: {},
    };
    const files = lockInstallation(tarball, manifest);
    const { packages } = JSON.parse(files['package-lock.json'] ?? '');
    const { '': root, 'node_modules/almanac': own, ...others } = packages;
    assert.deepEqual(root.dependencies, JSON.parse(files['package.json'] ?? '').dependencies);
    assert.deepEqual([own.version, own.resolved], ['1.2.3', 'file:almanac-1.2.3.tgz']);
    // The digest of "content", as openssl prints it.
    assert.equal(
      own.integrity,
      'sha512-stHShbUZnIX5iNA2ScN+RP093gHl1pxQ/vkGUZYvSBEOk0C2DUmkecTAtT9fB9aQaG3YfSSBk3pRLouF7nxhfw==',
    );
    const entries = readLockEntries();
    assert.deepEqual(
      Object.keys(others).sort(),
      listRuntimePackages()
        .map((one) => one.folder)
        .sort(),
    );
    for (const [name, entry] of Object.entries(others)) assert.deepEqual(entry, entries[name]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
