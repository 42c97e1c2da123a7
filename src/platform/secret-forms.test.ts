import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newId } from './ids.ts';
import { withoutSecretForms } from './secret-forms.ts';
import { slugOf } from './slug.ts';

const KEY = `alm_pat_${'0aB'.repeat(16)}`;
const JWT = [{ alg: 'ES256', typ: 'at+jwt' }, { sub: 'alice' }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat(randomBytes(64).toString('base64url'))
  .join('.');
const OPAQUE = `${randomBytes(31).toString('base64url')}A-`;
const HEX = `0${randomBytes(31).toString('hex')}`;

const percent = (text: string) => text.replace(/[\s\S]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);

test('hides text that looks like a secret, however it is encoded', () => {
  const cases: [string, string][] = [
    [`/keys/${KEY}`, '/keys/alm_pat_[secret]'],
    [`/keys/${KEY.replaceAll('_', '%5F')}/x`, '/keys/alm_pat_[secret]/x'],
    [`/keys/${KEY.replaceAll('_', '%255f')}`, '/keys/alm_pat_[secret]'],
    [`/keys/${percent(percent(KEY))}`, '/keys/alm_pat_[secret]'],
    [`/%ff/${KEY.replace('_', '%5f')}`, '/%ff/alm_pat_[secret]'],
    [`/x%2F${KEY}%2Fy`, '/x/alm_pat_[secret]/y'],
    [`/keys/${KEY.toUpperCase()}`, '/keys/ALM_PAT_[secret]'],
    [`/a/${JWT}/b`, '/a/[secret]/b'],
    [`/a/${JWT.replaceAll('.', '%2E')}`, '/a/[secret]'],
    [`/a/token=${JWT}`, '/a/token=[secret]'],
    [`/a/${JWT.slice(0, JWT.lastIndexOf('.') + 1)}`, '/a/[secret]'],
    [`/a/${OPAQUE}`, '/a/[secret]'],
    [`/a/${OPAQUE}.json`, '/a/[secret].json'],
    [`/a/${HEX}`, '/a/[secret]'],
    [`/a/%${'25'.repeat(5_000)}41`, '/a/[secret]'],
  ];
  for (const [path, shown] of cases) assert.equal(withoutSecretForms(path), shown, path);
});

test('leaves ids, readable names and other paths unchanged', () => {
  for (const path of [
    '/api/v1/me/access',
    `/api/v1/ensemble-forecasts/${newId('ef')}/events`,
    `/api/v1/x/${slugOf('Sales of ice cream in the state of New York 2020 to 2024, monthly', 'forecast')}`,
    `/api/v1/x/${slugOf('a'.repeat(60), 'forecast')}`,
    '/auth/.well-known/openid-configuration',
    '/api/market%2Ddata/a%2Fb/%zz/%e4%b8%ad%25',
    `/api/${'long'.repeat(100)}`,
    '',
  ]) {
    assert.equal(withoutSecretForms(path), path);
  }
});

test('reads a path of the largest length without backtracking', () => {
  const before = process.cpuUsage();
  for (const path of ['a', '%25', 'a.', 'alm_pat_', 'aB3-', '/%2'])
    withoutSecretForms(path.repeat(16_384 / path.length));
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 500_000, `${user + system} µs`);
});
