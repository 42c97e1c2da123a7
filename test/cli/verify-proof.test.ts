import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { contentId } from '../../src/provenance/index.ts';
import { callAlmanac } from '../support/cli/almanac-process.ts';
import { assertFails, resultOf } from '../support/cli/command-result.ts';
import { temporaryFolder } from '../support/cli/service.ts';
import { EXAMPLE_PROOF } from '../support/forecasts/example-proof.ts';

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'data');
/** Neither the folder nor the database exists. */
const offline = { ALMANAC_DATA: data, DATABASE_URL: 'postgres://127.0.0.1:1/none' };

function writeProof(content: string | Uint8Array): string {
  const file = join(folder, 'proof.json');
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

test('names a file that cannot be read or is not text', async () => {
  const verify = (file: string, message: RegExp) => assertFails(offline, 1, message, 'proof', 'verify', file);
  await Promise.all([
    verify(join(folder, 'none.json'), /none\.json cannot be read: ENOENT/),
    verify(folder, /cannot be read: EISDIR/),
    verify('/dev/zero', /\/dev\/zero has more than 8388608 bytes, so it is not a proof/),
    verify(writeProof(Uint8Array.of(0x22, 0xff, 0x22)), /proof\.json is not UTF-8 text, so it is not a proof/),
  ]);
});
