import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PullSourceOptions, parseSource, TOTO_2_4M } from './parse-source.ts';

const HEX = 'ab'.repeat(32);
const FOLDER = 'https://mirror.example/toto/22m';

test('takes the pinned release when only the model is named', () => {
  const { release, ...source } = parseSource('toto');
  const base = 'https://huggingface.co/Datadog/Toto-2.0-4m/resolve/8306a9801cf98c0f5ffe4b2dcc8f496e616d84d9';
  assert.deepEqual(source, {
    model: 'toto',
    name: 'toto-2.0-4m',
    configUrl: `${base}/config.json`,
    weightsUrl: `${base}/model.safetensors`,
    sha256: '316660d5afb47943e531f39242e0b02ca0b8bb73be5709dfe07ca80dfce9805e',
  });
  assert.equal(release, TOTO_2_4M);
});

test('accepts the address of the folder or of the weights', () => {
  for (const from of [FOLDER, `${FOLDER}/`, `${FOLDER}/model.safetensors`]) {
    const { configUrl, weightsUrl, name, release } = parseSource('toto', { from, sha256: HEX.toUpperCase() });
    assert.deepEqual([configUrl, weightsUrl], [`${FOLDER}/config.json`, `${FOLDER}/model.safetensors`]);
    assert.deepEqual([name, release], ['toto', undefined]);
  }
  const { weightsUrl } = parseSource('toto', { from: `${FOLDER}/tuned.safetensors`, sha256: HEX });
  assert.equal(weightsUrl, `${FOLDER}/tuned.safetensors`);
});

test('recognizes the released weights from any server', () => {
  const { release, name } = parseSource('toto', { from: FOLDER, sha256: TOTO_2_4M.sha256 });
  assert.deepEqual([release, name], [TOTO_2_4M, 'toto-2.0-4m']);
});

test('names the option that cannot be used', () => {
  const good = { from: FOLDER, sha256: HEX };
  const cases: [PullSourceOptions, RegExp][] = [
    [{ from: FOLDER }, /^--from and --sha256 must be given together/],
    [{ sha256: HEX }, /^--from and --sha256/],
    [{ name: 'x' }, /^--from and --sha256/],
    ...['', HEX.slice(1), `${HEX}0`, `${HEX}\n`, `../${HEX.slice(3)}`, 'g'.repeat(64)].map(
      (sha256): [PullSourceOptions, RegExp] => [{ ...good, sha256 }, /^--sha256 must/],
    ),
    ...['', '..', '.', '../x', 'a/b', 'a\\b', '/etc', 'a@b', 'A', 'a b', 'a\0', 'ä', 'a'.repeat(65), '-rf'].map(
      (name): [PullSourceOptions, RegExp] => [{ ...good, name }, /^--name must/],
    ),
    ...['', 'mirror', '/etc/passwd', 'file:///etc/passwd', 'ftp://mirror.example/', 'javascript:1', 'https://'].map(
      (from): [PullSourceOptions, RegExp] => [{ ...good, from }, /^--from must be an http or https address/],
    ),
    ...['https://a:b@mirror.example/', 'https://mirror.example/x?key=1', 'https://mirror.example/#x'].map(
      (from): [PullSourceOptions, RegExp] => [{ ...good, from }, /^--from must have no/],
    ),
  ];
  for (const [options, message] of cases) {
    assert.throws(() => parseSource('toto', options), { code: 'INVALID_SOURCE', message }, JSON.stringify(options));
  }
});
