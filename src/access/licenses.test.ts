import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERY_LICENSE, licenseDenied, licensesWithout } from './licenses.ts';

test('a licence is denied by its whole name, in capitals or not', () => {
  const licenses = licensesWithout(['CC BY 4.0', ' apache-2.0 ']);
  assert.equal(licenses.isOpen, false);
  for (const name of ['CC BY 4.0', 'cc by 4.0', 'CC  BY 4.0 ', 'Apache-2.0', 'APACHE-2.0']) {
    assert.equal(licenses.allows(name), false, name);
  }
  for (const name of ['CC BY', 'CC BY 4.0 (data)', 'Apache-2', 'MIT', '', null]) {
    assert.equal(licenses.allows(name), true, String(name));
  }
});

test('what nobody has stated is denied as such', () => {
  assert.equal(licensesWithout(['Not Stated']).allows(null), false);
  assert.equal(licensesWithout(['Not Stated']).allows('MIT'), true);
});

test('nothing is denied where nothing is named', () => {
  assert.equal(EVERY_LICENSE.isOpen, true);
  for (const name of ['MIT', null]) assert.equal(EVERY_LICENSE.allows(name), true);
});

test('a refusal names what it is about and its licence', () => {
  const fault = licenseDenied('models: toto', null);
  assert.deepEqual(
    [fault.code, fault.message],
    ['LICENSE_DENIED', 'models: toto is under the licence "not stated", which may not be used here.'],
  );
});
