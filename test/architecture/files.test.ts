import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSource, sourceFiles } from './imports.ts';

const root = join(import.meta.dirname, '../..');
const MAX_FILES = 1_800;
const MAX_LINES = 300;

test(`src has at most ${MAX_FILES} source files`, () => {
  assert.ok(sourceFiles().length <= MAX_FILES, `${sourceFiles().length} files`);
});

test(`no source file has more than ${MAX_LINES} lines`, () => {
  const long = sourceFiles().filter((file) => readSource(file).trimEnd().split('\n').length > MAX_LINES);
  assert.deepEqual(long, []);
});

/** It has a folder for each release, and there was one. */
const MAY_HOLD_ONE = ['test/upgrade/releases'];

test('no folder below src and test holds a single file', () => {
  const folders = globSync('{src,test}/**/', { cwd: root, exclude: MAY_HOLD_ONE });
  const single = folders.filter((folder) => readdirSync(join(root, folder)).length === 1);
  assert.deepEqual(single, []);
});

test('the texts of faults are in faults.ts of their room or folder', () => {
  const inline = sourceFiles().filter(
    (file) => !/^\w+\/(\w+\/){0,2}faults\.ts$/.test(file) && /new Fault\(/.test(code(file)),
  );
  assert.deepEqual(inline, []);
});

test('test-only files are outside src', () => {
  const files = globSync('**/*', { cwd: join(root, 'src') }).filter((file) =>
    /golden|testing|fixture|example-/.test(file),
  );
  assert.deepEqual(files, []);
});

test('source files import nothing from the tests', () => {
  const imports = sourceFiles().filter((file) => /from '(\.\.\/)+test\//.test(readSource(file)));
  assert.deepEqual(imports, []);
});

test('services of tests and benchmarks send no requests to providers', () => {
  const files = globSync(['{test,bench,scripts}/**/*.ts', 'src/**/*.test.ts'], { cwd: root });
  // With the settings of loadConfig, a service would use the real addresses of the providers.
  const reaching = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return /\b(create|open)Foundation\(/.test(text) && /\bloadConfig\(/.test(text);
  });
  assert.deepEqual(reaching, []);
});

/** The source without comments. */
function code(file: string): string {
  return readFileSync(join(root, 'src', file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
