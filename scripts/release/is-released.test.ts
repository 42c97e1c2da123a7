import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findMachineFacts } from './find-machine-facts.ts';
import { isReleased } from './is-released.ts';

test('a version is released when the repository has its tag, and unknown outside a repository', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-release-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.throws(() => isReleased('1.0.0', folder));
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const git = (...args: string[]) => execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'ignore' });
  git('init');
  git('commit', '--allow-empty', '--message', 'Start');
  assert.equal(isReleased('1.0.0', folder), false);
  git('tag', 'v1.0.0');
  assert.equal(isReleased('1.0.0', folder), true);
  assert.equal(isReleased('1.0', folder), false);
});

test('finds folders and names of this machine in the bytes of a fixture', () => {
  assert.deepEqual(findMachineFacts(Buffer.from('{"workspaces":"/api/v1/workspaces"}')), []);
  const checkout = join(import.meta.dirname, '../..');
  assert.deepEqual(findMachineFacts(Buffer.from(`a${checkout}/data`)).slice(0, 1), [checkout]);
  const name = hostname();
  if (name.length > 5) assert.ok(findMachineFacts(Buffer.from(`${name}:1`)).includes(name));
});
