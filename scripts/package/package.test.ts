import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBill } from './bill.ts';
import { EXCEPTIONS, findForbiddenLicenses } from './licenses.ts';
import { listRuntimePackages } from './locked-packages.ts';
import { lockedDependencies, toJavaScript } from './stage.ts';

const packages = listRuntimePackages();
const example = { name: 'example', version: '1.0.0', folder: 'node_modules/example', isOptional: false };

test('every package of an installation has an allowed license', () => {
  assert.deepEqual(findForbiddenLicenses(packages), []);
});

test('a package without a license, or with another one, is found', () => {
  for (const license of [undefined, 'GPL-3.0-only', 'MIT AND GPL-3.0-only', '(GPL-3.0-only OR SSPL-1.0)', 'MPL-2.0']) {
    assert.equal(findForbiddenLicenses([{ ...example, license }]).length, 1, license);
  }
  for (const license of ['MIT', '(MIT OR GPL-3.0-only)']) {
    assert.deepEqual(findForbiddenLicenses([{ ...example, license }]), [], license);
  }
});

test('every exception is needed', () => {
  const unused = EXCEPTIONS.filter(
    ({ name, license }) => !packages.some((one) => one.name === name && one.license === license),
  );
  assert.deepEqual(unused, []);
});

test('the bill of materials lists every package of an installation and no other', () => {
  const names = (list: readonly { name: string; version: string }[]) =>
    [...new Set(list.map(({ name, version }) => `${name}@${version}`))].sort();
  const bill = makeBill();
  assert.equal(bill.metadata.component.name, 'almanac');
  assert.deepEqual(names(bill.components), names(packages));
  assert.ok(names(packages).length > 200);
});

test('the package names every dependency that the lock file has in node_modules', () => {
  const expected = packages.filter(
    ({ folder, isOptional }) => folder.lastIndexOf('node_modules/') === 0 && !isOptional,
  );
  assert.deepEqual(lockedDependencies(), Object.fromEntries(expected.map(({ name, version }) => [name, version])));
  assert.equal(lockedDependencies().typescript, undefined);
});

test('the package has no types, and its imports and threads name compiled files', () => {
  const source = `import { a } from './a.ts';\nconst worker: URL = new URL('../b-thread.ts', import.meta.url);\nconst c = 'c.ts';`;
  assert.equal(
    toJavaScript(source).replace(/ +/g, ' '),
    `import { a } from './a.js';\nconst worker = new URL('../b-thread.js', import.meta.url);\nconst c = 'c.ts';`,
  );
});
