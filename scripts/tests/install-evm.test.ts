import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findNpmCli } from './install-evm.ts';

const lockFile = path.join(import.meta.dirname, '../../test/evm/package-lock.json');

describe('the lock file of the EVM node', () => {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Record<string, { version: string; integrity?: string; resolved?: string }>;
  };

  it('has edr in the same version for x64 and arm64', () => {
    const versions = ['edr', 'edr-linux-x64-gnu', 'edr-linux-arm64-gnu'].map(
      (name) => packages[`node_modules/@nomicfoundation/${name}`]?.version,
    );
    assert.deepEqual(versions, ['0.20.0', '0.20.0', '0.20.0']);
  });

  it('has a checksum and no URL for every package, so that any registry can serve it', () => {
    for (const [folder, { integrity, resolved }] of Object.entries(packages)) {
      if (folder === '') continue;
      assert.match(integrity ?? '', /^sha512-/, folder);
      assert.equal(resolved, undefined, folder);
    }
  });
});

describe('finding npm-cli.js', () => {
  let folder: string;
  let cli: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'almanac-npm-'));
    for (const name of ['bin', 'empty', 'lib/node_modules/npm/bin']) {
      mkdirSync(path.join(folder, name), { recursive: true });
    }
    cli = path.join(folder, 'lib/node_modules/npm/bin/npm-cli.js');
    writeFileSync(cli, '');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('prefers the npm that runs, unless that is another package manager', () => {
    const PATH = path.join(folder, 'empty');
    assert.equal(findNpmCli({ npm_execpath: '/npm/bin/npm-cli.js', PATH }), '/npm/bin/npm-cli.js');
    assert.equal(findNpmCli({ npm_execpath: '/yarn/bin/yarn.js', PATH }), null);
    assert.equal(findNpmCli({}), null);
  });

  it('follows the link of npm on the PATH, or finds the folder of a program beside it', () => {
    const PATH = ['', path.join(folder, 'empty'), path.join(folder, 'bin')].join(path.delimiter);
    const program = path.join(folder, 'bin/npm');
    symlinkSync(cli, program);
    assert.equal(findNpmCli({ PATH }), cli);
    rmSync(program);
    writeFileSync(program, '#!/bin/sh\n');
    assert.equal(findNpmCli({ PATH }), cli);
  });
});
