import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INTERFACE_VERSION } from '../../src/contract/index.ts';
import { presentDocument, releasedDocuments } from './documents.ts';
import { findBreakingChanges } from './find-breaking-changes.ts';

const present = presentDocument();
const released = releasedDocuments(INTERFACE_VERSION.split('.')[0] ?? '');

test('keeps the documents of the releases of this major version', () => {
  assert.ok(released.size > 0);
});

for (const [version, document] of released) {
  test(`breaks no client of the interface ${version}`, () => {
    assert.deepEqual(findBreakingChanges(document, present), []);
  });
}
