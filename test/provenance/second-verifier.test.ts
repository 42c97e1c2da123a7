import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeEventTopics } from 'viem/utils';
import { canonicalJson } from '../../src/contract/index.ts';
import { COMMITMENT_SERVICE_ABI } from '../../src/provenance/chain/contract.ts';
import { contentId, verifyProof } from '../../src/provenance/index.ts';
import { EXAMPLE_PROOF } from '../support/forecasts/example-proof.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { alterAtRandom, isSameJson, replaceAt } from '../support/provenance/altered-files.ts';
import { createProofs } from '../support/provenance/proof-files.ts';
import { ADD_SET_OBJECT_TOPIC, canonicalText, findFileProblems } from '../support/provenance/second-verifier.ts';

test('the second implementation looks for the event of the contract', () => {
  const [topic] = encodeEventTopics({ abi: COMMITMENT_SERVICE_ABI, eventName: 'AddSetObject' });
  assert.equal(ADD_SET_OBJECT_TOPIC, topic);
});

test('both implementations write the same canonical text', () => {
  for (const value of [
    { b: 1e21, a: [-0, 1e-7, 0.1 + 0.2] },
    { '\u{1f600}': 1, '\ufb33': 2, é: '\u2028"\\\n' },
    [],
    null,
  ]) {
    assert.equal(canonicalText(value), canonicalJson(value));
  }
});

test('both implementations accept proofs without a receipt, also those of the older hash', () => {
  const older = JSON.stringify({ document: EXAMPLE_PROOF, content_cid: contentId(EXAMPLE_PROOF) });
  for (const text of [older, ...createFiles(5)]) {
    assert.deepEqual([verifyProof(text).problems, findFileProblems(text)], [[], []]);
  }
});

test('both implementations refuse every file with an altered byte', () => {
  const [text = ''] = createFiles(1);
  for (let at = 0; at < text.length; at++) {
    assertRefused(text, replaceAt(text, at, String.fromCharCode(text.charCodeAt(at) ^ 1)));
  }
});

test('both implementations refuse random alterations of 50 files', () => {
  const random = createSeededRandom(2);
  for (const text of createFiles(50)) for (let i = 0; i < 10; i++) assertRefused(text, alterAtRandom(text, random));
});

function createFiles(count: number): string[] {
  const proofs = createProofs(count, createSeededRandom(1));
  return proofs.map(({ cid, document }) => JSON.stringify({ document, content_cid: cid }));
}

function assertRefused(text: string, altered: string): void {
  if (isSameJson(text, altered)) return;
  assert.equal(verifyProof(altered).valid, false, altered);
  assert.notDeepEqual(findFileProblems(altered), [], altered);
}
