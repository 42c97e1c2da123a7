import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EXAMPLE_PROOF } from '../../../test/support/forecasts/example-proof.ts';
import { canonicalJson } from '../../contract/index.ts';
import { contentId, newSeal, PROOF_HASH, setCid } from './content-ids.ts';

test('a content id equals the one that Python computes for the same document', () => {
  // hashlib.sha256(json.dumps(document, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode())
  assert.equal(contentId(EXAMPLE_PROOF), '0x28729d6fdff9e96b60fec5b3b7f355136573880ece9c0b92c5c26413097fa026');
  assert.equal(
    contentId({ b: 'é\n', a: [1, 0.5, true] }),
    '0x0398579ccf64dbd0d95e8749621d1f949b2e956e24fc4fcede5ade4892232dd6',
  );
});

test('a document with a seal and the name of a collection have the ids that Python computes', () => {
  // hashlib.sha3_256(…) of the same text, and of the name in UTF-8.
  assert.equal(
    contentId({ hash: PROOF_HASH, salt: 'ab'.repeat(32), b: 'é\n', a: [1, 0.5, true] }),
    '0x1af584ed14c381ee3ca7ad77acd599fe7bf998b03a8307c5a34d40abc2cc4578',
  );
  assert.equal(setCid('almanac'), '0x088dabdc446531536971d33c76d860f3eda3250380b56be30a886a08942096eb');
  assert.equal(setCid('prévisions'), '0xdf5c1ea84735d6106fa84da7dc5f95791bbd45241004676eadb8662f8faafb51');
  assert.throws(() => setCid('\ud800'), RangeError);
});

test('a document that names another hash has no id', () => {
  for (const hash of ['sha256', 'SHA3-256', '', null, 1, ['sha3-256']]) {
    assert.throws(() => contentId({ hash }), /^RangeError: hash: is not sha3-256/);
  }
});

test('every salt is 32 other bytes', () => {
  const salts = new Set(Array.from({ length: 100 }, () => newSeal().salt));
  assert.equal(salts.size, 100);
  for (const salt of salts) assert.match(salt, /^[0-9a-f]{64}$/);
});

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsOf((value as Record<string | number, unknown>)[key], [...path, key]))];
}

function change(document: object, path: Path, by: (owner: Record<string, unknown>, key: string) => void): object {
  const copy = structuredClone(document);
  const owner = path.slice(0, -1).reduce<object>((at, key) => (at as Record<string, object>)[key] as object, copy);
  by(owner as Record<string, unknown>, String(path.at(-1)));
  return copy;
}

const PATHS = pathsOf(EXAMPLE_PROOF).slice(1);
const ID = contentId(EXAMPLE_PROOF);
const somePath = fc.constantFrom(...PATHS);

test('changing any field changes the id', () => {
  fc.assert(
    fc.property(somePath, fc.jsonValue(), (path, value) => {
      const changed = change(EXAMPLE_PROOF, path, (owner, key) => {
        fc.pre(canonicalJson(owner[key]) !== canonicalJson(value));
        owner[key] = value;
      });
      assert.notEqual(contentId(changed), ID);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test('removing or adding a field changes the id', () => {
  for (const path of PATHS) {
    const less = change(EXAMPLE_PROOF, path, (owner, key) => {
      if (Array.isArray(owner)) owner.splice(Number(key), 1);
      else delete owner[key];
    });
    assert.notEqual(contentId(less), ID, path.join('.'));
    const more = change(EXAMPLE_PROOF, [...path.slice(0, -1), 'more'], (owner) => {
      if (Array.isArray(owner)) owner.push(null);
      else owner.more = null;
    });
    assert.notEqual(contentId(more), ID, path.join('.'));
  }
});

test('the order of keys does not change the id', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (ranks) => {
      const shuffled = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(shuffled);
        if (typeof value !== 'object' || value === null) return value;
        const ranked = Object.entries(value).map(([key, field]) => ({
          key,
          field,
          rank: ranks.next().value as number,
        }));
        ranked.sort((a, b) => a.rank - b.rank);
        return Object.fromEntries(ranked.map(({ key, field }) => [key, shuffled(field)]));
      };
      assert.equal(contentId(shuffled(EXAMPLE_PROOF) as object), ID);
    }),
    { seed: 2 },
  );
});

test('a document without a canonical form has no id', () => {
  const bad = [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }, new Date(0), new Float64Array(1), 1n];
  for (const value of [...bad, [undefined]])
    assert.throws(() => contentId({ a: [{ value }] }), /^RangeError: document\.a/);
  assert.equal(contentId({ a: 1, b: undefined }), contentId({ a: 1 }));
});
