import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { contentId } from '../../src/provenance/index.ts';
import { runAlmanac } from '../support/cli/almanac-process.ts';
import { answerOf, refusalOf } from '../support/cli/command-answer.ts';
import { temporaryFolder } from '../support/cli/service.ts';
import { EXAMPLE_PROOF } from '../support/forecasts/example-proof.ts';

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'data');
/** Neither of them is there. */
const offline = { ALMANAC_DATA: data, DATABASE_URL: 'postgres://127.0.0.1:1/none' };

function fileOf(content: string | Uint8Array): string {
  const file = join(folder, 'proof.json');
  writeFileSync(file, content);
  return file;
}

const CID = contentId(EXAMPLE_PROOF);
const PROOF = JSON.stringify({ data: { document: EXAMPLE_PROOF, content_cid: CID }, meta: { api_version: 'v1' } });

test('a proof is verified without a service or a database', async () => {
  const verdict = await answerOf(offline, 'proof', 'verify', fileOf(PROOF));
  assert.deepEqual(verdict, { valid: true, content_cid: CID, problems: [] });
  assert.ok(!existsSync(data), 'nothing was made');
});

test('a proof that was changed is shown with its problems, and the command fails', async () => {
  const file = fileOf(PROOF.replace('"rows":40', '"rows":41'));
  const { code, stdout, stderr } = await runAlmanac(['proof', 'verify', file], offline);
  assert.match(stdout, /^\{.*\}\n$/, 'one object on one line');
  const { valid, problems } = JSON.parse(stdout);
  assert.deepEqual([valid, problems.length, code], [false, 1, 1]);
  assert.match(problems[0], /^content_cid: the document's is 0x/);
  assert.match(stderr, /^almanac: .*proof\.json is not a valid proof\.\n$/);
});

test('a file that cannot be read, or is no text, is named in one line', async () => {
  const verify = (file: string, message: RegExp) => refusalOf(offline, 1, message, 'proof', 'verify', file);
  await Promise.all([
    verify(join(folder, 'none.json'), /none\.json cannot be read: ENOENT/),
    verify(folder, /cannot be read: EISDIR/),
    verify('/dev/zero', /\/dev\/zero has more than 8388608 bytes: it is not a proof/),
    verify(fileOf(Uint8Array.of(0x22, 0xff, 0x22)), /proof\.json is not text in UTF-8/),
  ]);
});
