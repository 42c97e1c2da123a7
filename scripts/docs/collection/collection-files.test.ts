import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GIVEN_VARIABLES, type Operation, operations } from '../../../src/contract/index.ts';
import { formatBru, formatJson } from './bru.ts';
import { collectionFiles } from './collection-files.ts';

const files = collectionFiles();

test('the collection has a request for every operation, with its method, path and status', () => {
  for (const [id, { group, method, path, status }] of Object.entries<Operation>(operations)) {
    const file = files[`${group}/${id}.bru`] ?? assert.fail(id);
    const address = path.replaceAll(/\{\w+\}/g, '{{\\w+}}');
    assert.match(
      file,
      new RegExp(`^${method.toLowerCase()} \\{\\n  url: \\{\\{base_url}}${address}(\\?.*)?\\n`, 'm'),
      id,
    );
    assert.ok(file.includes(`res.status: eq ${status}\n`), id);
  }
});

test('each variable of a request is in the environment, or another request keeps it', () => {
  const kept = Object.values(files).flatMap((file) => [
    ...[...file.matchAll(/^ {2}(\w+): res\.body/gm)].map(([, name]) => name),
    ...[...file.matchAll(/setVar\("(\w+)"/g)].map(([, name]) => name),
  ]);
  const known = new Set([...kept, ...Object.keys(GIVEN_VARIABLES), 'base_url']);
  const used = Object.values(files).flatMap((file) => [...file.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
  assert.ok(used.length > Object.keys(operations).length);
  assert.deepEqual(
    used.filter((name) => !known.has(name)),
    [],
  );
});

test('the environment has every given variable, and no value of a secret', () => {
  const environment = files['environments/local.bru'] ?? '';
  for (const name of Object.keys(GIVEN_VARIABLES)) assert.match(environment, new RegExp(`^  ${name}\\b`, 'm'));
  assert.doesNotMatch(environment, /(key|password|session):/);
  assert.doesNotMatch(Object.values(files).join(''), /alm_(pat|ses|gst|fed)_/);
});

test('formats blocks without a brace at the start of a line, and leaves out empty ones', () => {
  const text = formatBru([
    { name: 'meta', fields: { name: 'A', seq: 1 } },
    { name: 'headers', fields: {} },
    { name: 'body:json', text: '{\n}\n' },
    { name: 'vars:secret', items: ['a', 'b'] },
  ]);
  assert.equal(text, 'meta {\n  name: A\n  seq: 1\n}\n\nbody:json {\n  {\n  }\n}\n\nvars:secret [\n  a,\n  b\n]\n');
});

test('formats JSON that reads as the same value, with short parts on one line', () => {
  const value = { rows: Array.from({ length: 9 }, (_, i) => ({ at: `2024-01-0${i}`, value: i })), none: {}, list: [] };
  const text = formatJson(value);
  assert.deepEqual(JSON.parse(text), value);
  assert.match(text, /^ {4}\{ "at": "2024-01-00", "value": 0 \},$/m);
});
