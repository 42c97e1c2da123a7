import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Of } from '../../../../test/support/compute/checkpoint-server.ts';
import { checkpointId } from '../checkpoint.ts';
import { parseConfig, requireConfig } from '../manifest.ts';
import { TOTO_2_4M } from './parse-source.ts';

/** As the publisher's program writes it: with a decimal point in fields that are not counts. */
const PUBLISHED = JSON.stringify(TOTO_2_4M.config, null, 2).replace('"dropout_p": 0', '"dropout_p": 0.0');

test('pins the config of the published file, field by field', () => {
  assert.equal(sha256Of(PUBLISHED), '7a926d130e401ab0c5fdb3564f46c8d917bd05c7b3ae26b9c22d2da2ef01d2d8');
  requireConfig(parseConfig(Buffer.from(PUBLISHED)), TOTO_2_4M.config);
});

test('derives the id from the values of the config and not from their spelling', () => {
  const idFor = (text: string) => checkpointId('toto-2.0-4m', TOTO_2_4M.sha256, parseConfig(Buffer.from(text)));
  assert.equal(idFor(PUBLISHED), 'toto-2.0-4m@316660d5afb4-0f1f6a5b');
  const reversed = Object.fromEntries(Object.entries(TOTO_2_4M.config).reverse());
  assert.equal(idFor(JSON.stringify(reversed)), idFor(PUBLISHED));
  assert.notEqual(idFor(PUBLISHED.replace('0.0001', '0.0002')), idFor(PUBLISHED));
});

test('names the field in which a config differs', () => {
  for (const [change, problem] of [
    [{ norm_eps: 1e-5 }, /norm_eps is 0.00001, the release has 0.0001/],
    [{ use_xpos: 'true' }, /use_xpos is "true", the release has true/],
    [{ num_heads: undefined }, /num_heads is missing/],
    [{ more: 'x\n'.repeat(1_000) }, /^[^\n]*"more" is not a field of the release[^\n]*$/],
    [JSON.parse('{"__proto__":1}'), /"__proto__" is not a field of the release/],
  ] as const) {
    const text = JSON.stringify({ ...TOTO_2_4M.config, ...change });
    assert.throws(() => requireConfig(parseConfig(Buffer.from(text)), TOTO_2_4M.config), {
      code: 'CONFIG_REFUSED',
      message: problem,
    });
  }
});
