import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { contentId } from '../../src/provenance/index.ts';
import { callAlmanac } from '../support/cli/almanac-process.ts';
import { assertFails, resultOf } from '../support/cli/command-result.ts';
import { temporaryFolder } from '../support/cli/service.ts';
import { EXAMPLE_PROOF, exampleReceipt, SEALED_PROOF } from '../support/forecasts/example-proof.ts';
import { CONTRACT, repliesFor, startChain } from '../support/forecasts/loopback-chain.ts';

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'data');
/** Neither the folder nor the database exists. */
const offline = { ALMANAC_DATA: data, DATABASE_URL: 'postgres://127.0.0.1:1/none' };

function writeProof(content: string | Uint8Array, name = 'proof.json'): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const CID = contentId(EXAMPLE_PROOF);
const PROOF = JSON.stringify({ data: { document: EXAMPLE_PROOF, content_cid: CID }, meta: { api_version: 'v1' } });

test('verifies a proof without a service or a database', async () => {
  const verdict = await resultOf(offline, 'proof', 'verify', writeProof(PROOF));
  assert.partialDeepStrictEqual(verdict, { valid: true, content_cid: CID, kind: 'forecast', receipt: 'absent' });
  assert.ok(!existsSync(data), 'nothing was created');
});

test('prints the problems of a changed proof and fails', async () => {
  const file = writeProof(PROOF.replace('"rows":40', '"rows":41'));
  const { code, stdout, stderr } = await callAlmanac(['proof', 'verify', file], offline);
  assert.match(stdout, /^\{.*\}\n$/, 'one object on one line');
  const { valid, problems } = JSON.parse(stdout);
  assert.deepEqual([valid, problems.length, code], [false, 1, 1]);
  assert.match(problems[0], /^content_cid: the document's is 0x/);
  assert.match(stderr, /^almanac: .*proof\.json is not a valid proof\.\n$/);
});

const RECEIPT = exampleReceipt(contentId(SEALED_PROOF));
const STAMPED = JSON.stringify({ document: SEALED_PROOF, content_cid: contentId(SEALED_PROOF), provenance: RECEIPT });

test('checks the receipt of a proof on a chain and prints what is proven', async () => {
  await using chain = await startChain(repliesFor(RECEIPT.receipt));
  const file = writeProof(STAMPED, 'stamped.json');
  const verdict = await resultOf(offline, 'proof', 'verify', file, '--chain', chain.url, '--contract', CONTRACT);
  assert.partialDeepStrictEqual(verdict, {
    valid: true,
    receipt: 'stamped',
    chain: { chain_id: 31337, contract: CONTRACT, block_number: 1_000, timestamp: '2026-03-01T10:01:00.000Z' },
  });
  assert.match(String(verdict.proven), /has not changed since 2026-03-01T10:01:00\.000Z: block 1000 of chain 31337/);
  assert.match(String(verdict.not_proven), /stamped and withheld/);
});

test('fails with the verdict on the file if the chain lacks the stamp or cannot be reached', async () => {
  const chain = await startChain(repliesFor(RECEIPT.receipt, { transaction: { status: '0x0' } }));
  const file = writeProof(STAMPED, 'stamped.json');
  const verify = () => callAlmanac(['proof', 'verify', file, '--chain', chain.url], offline);
  const refused = await verify();
  assert.partialDeepStrictEqual(JSON.parse(refused.stdout), {
    valid: false,
    problems: ['provenance.receipt.transaction_hash: the transaction failed.'],
  });
  assert.match(refused.stderr, /stamped\.json is not a valid proof\.\n$/);
  await chain[Symbol.asyncDispose]();
  const silent = await verify();
  assert.partialDeepStrictEqual(JSON.parse(silent.stdout), { valid: true, receipt: 'stamped', chain: null });
  assert.match(silent.stderr, /^almanac: The chain was not checked\. .* cannot be reached\. \(ECONNREFUSED\)\n$/);
  assert.deepEqual([refused.code, silent.code], [1, 1]);
  assert.doesNotMatch(refused.stderr + silent.stderr + silent.stdout, /SECRET/);
});

test('refuses addresses that are not safe or not addresses, without repeating them', async () => {
  const file = writeProof(STAMPED, 'stamped.json');
  const verify = (code: 1 | 2, message: RegExp, ...options: string[]) =>
    assertFails(offline, code, message, 'proof', 'verify', file, ...options);
  await Promise.all([
    verify(
      1,
      /^almanac: --chain: must be an https:\/\/ address[^\n]*password\.\n$/,
      '--chain',
      'http://node.example/SECRET',
    ),
    verify(1, /--chain: must be an https/, '--chain', 'https://me:SECRET@node.example/'),
    verify(1, /--contract: must be an address: 0x/, '--chain', 'https://node.example/', '--contract', '0x12'),
    verify(2, /--contract needs --chain/, '--contract', CONTRACT),
  ]);
});

test('names a file that cannot be read or is not text', async () => {
  const verify = (file: string, message: RegExp) => assertFails(offline, 1, message, 'proof', 'verify', file);
  await Promise.all([
    verify(join(folder, 'none.json'), /none\.json cannot be read: ENOENT/),
    verify(folder, /cannot be read: EISDIR/),
    verify('/dev/zero', /\/dev\/zero has more than 8388608 bytes, so it is not a proof/),
    verify(writeProof(Uint8Array.of(0x22, 0xff, 0x22)), /proof\.json is not UTF-8 text, so it is not a proof/),
  ]);
});
