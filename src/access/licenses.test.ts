import assert from 'node:assert/strict';
import { test } from 'node:test';
import { licenseDenied } from './faults.ts';
import { ALL_LICENSES, licensesWithout } from './licenses.ts';

test('denies a license by its whole name in any case', () => {
  const licenses = licensesWithout(['CC BY 4.0', ' apache-2.0 ']);
  assert.equal(licenses.allowsAll, false);
  for (const name of ['CC BY 4.0', 'cc by 4.0', 'CC  BY 4.0 ', 'Apache-2.0', 'APACHE-2.0']) {
    assert.equal(licenses.allows(name), false, name);
  }
  for (const name of ['CC BY', 'CC BY 4.0 (data)', 'Apache-2', 'MIT', '', null]) {
    assert.equal(licenses.allows(name), true, String(name));
  }
});

test('matches both spellings of "license" in a name', () => {
  for (const [denied, name] of [
    ['Open Government Licence v3.0', 'Open Government License v3.0'],
    ['open government license v3.0', 'Open Government Licence v3.0'],
    ['Open Government Licence v3.0', 'Open Government Licence v3.0'],
  ] as const) {
    assert.equal(licensesWithout([denied]).allows(name), false, `${denied} denies ${name}`);
  }
  assert.equal(licensesWithout(['Open Government Licence']).allows('Open Government Licence v3.0'), true);
});

test('denies an unstated license under the name "not stated"', () => {
  assert.equal(licensesWithout(['Not Stated']).allows(null), false);
  assert.equal(licensesWithout(['Not Stated']).allows('MIT'), true);
});

test('allows every license when none is denied', () => {
  assert.equal(ALL_LICENSES.allowsAll, true);
  for (const name of ['MIT', null]) assert.equal(ALL_LICENSES.allows(name), true);
});

test('names the subject and its license in the fault', () => {
  const fault = licenseDenied('models: toto', null);
  assert.deepEqual(
    [fault.code, fault.message],
    ['LICENSE_DENIED', 'models: toto has the license "not stated", which this service does not allow.'],
  );
});
