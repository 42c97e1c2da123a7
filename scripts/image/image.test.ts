import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { loadConfig } from '../../src/platform/index.ts';
import { ARCHITECTURES, type Architecture } from './architecture.ts';
import { type BuildOrigin, IMAGE_SETTINGS, imageConfig } from './image-config.ts';
import { countNativeFiles } from './native-files.ts';
import { BLOBS, writeArchive } from './write-archive.ts';
import { type Layer, writeLayer } from './write-layer.ts';

const [x64, arm64] = ARCHITECTURES as [Architecture, Architecture];
const epoch = 1_700_000_000;
const special = [{ folder: 'data', owner: 10001, mode: '0700' }];
const origin: BuildOrigin = {
  version: '1.2.3',
  license: 'Apache-2.0',
  description: 'Forecasts',
  revision: undefined,
  epoch,
};

let workspace: string;
before(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'almanac-image-test-'));
});
after(() => rmSync(workspace, { recursive: true, force: true }));

/** Writes a layer and an archive of the named files, in this order. */
async function writeImage(
  name: string,
  files: readonly string[],
): Promise<{ layer: Layer; archive: string; digest: string }> {
  const [root, layout] = [path.join(workspace, name, 'root'), path.join(workspace, name, 'layout')];
  for (const folder of [path.join(root, 'data'), path.join(layout, BLOBS)]) mkdirSync(folder, { recursive: true });
  for (const file of files) {
    const written = path.join(root, file);
    writeFileSync(written, file);
    chmodSync(written, name === 'first' ? 0o644 : 0o664);
    utimesSync(written, epoch, name === 'first' ? epoch - 1 : epoch - 2);
  }
  const layer = await writeLayer(path.join(layout, BLOBS), root, { epoch, special });
  const archive = path.join(workspace, `${name}.tar`);
  const config = imageConfig(origin, x64, [['Files', layer]]);
  const digest = writeArchive(layout, archive, {
    version: origin.version,
    architecture: x64,
    config,
    layers: [layer],
    epoch,
  });
  return { layer, archive, digest };
}

test('equal files give an equal image, whenever, in which order and with which mask they were written', async () => {
  const first = await writeImage('first', ['a', 'b']);
  const second = await writeImage('second', ['b', 'a']);
  assert.deepEqual(second.layer, first.layer);
  assert.ok(readFileSync(second.archive).equals(readFileSync(first.archive)));
  assert.notEqual((await writeImage('third', ['a', 'c'])).digest, first.digest);
});

test('everything in a layer belongs to root but the special folders', async () => {
  const { layer } = await writeImage('owned', ['a']);
  const file = path.join(workspace, 'owned/layout', BLOBS, layer.digest.replace('sha256:', ''));
  const listed = execFileSync('tar', ['--list', '--verbose', '--gzip', '--numeric-owner', '--file', file], {
    encoding: 'utf8',
  });
  assert.deepEqual(
    listed
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, 10), line.split(/ +/)[1], line.split(' ').at(-1)]),
    [
      ['drwxr-xr-x', '0/0', './'],
      ['-rw-r--r--', '0/0', './a'],
      ['drwx------', '10001/10001', './data/'],
    ],
  );
});

test('docker load and the tools of OCI find the same configuration and layers', async () => {
  const { archive, layer } = await writeImage('layout', ['a']);
  const folder = path.join(workspace, 'unpacked');
  mkdirSync(folder);
  execFileSync('tar', ['--extract', '--file', archive, '--directory', folder]);
  const read = (name: string) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const [loaded] = read('manifest.json');
  const manifest = read(`${BLOBS}/${read('index.json').manifests[0].digest.replace('sha256:', '')}`);
  assert.deepEqual(loaded.RepoTags, ['almanac:1.2.3']);
  assert.equal(loaded.Config, `${BLOBS}/${manifest.config.digest.replace('sha256:', '')}`);
  assert.deepEqual(loaded.Layers, [`${BLOBS}/${layer.digest.replace('sha256:', '')}`]);
  assert.equal(readdirSync(path.join(folder, BLOBS)).length, 3);
  assert.deepEqual(read(loaded.Config).rootfs.diff_ids, [layer.diffId]);
});

test('the image starts with two settings, as a user without privileges', () => {
  const { config } = imageConfig(origin, arm64, []) as { config: { User: string; Env: string[]; Labels: object } };
  assert.equal(config.User, '10001:10001');
  assert.throws(() => loadConfig(IMAGE_SETTINGS), /SITE_URL/);
  const chosen = { SITE_URL: 'https://almanac.example.org', ALMANAC_TRUSTED_PROXIES: 'loopback' };
  assert.equal(loadConfig({ ...IMAGE_SETTINGS, ...chosen }).port, 8080);
  assert.deepEqual(Object.keys(config.Labels).sort(), [
    'org.opencontainers.image.created',
    'org.opencontainers.image.description',
    'org.opencontainers.image.licenses',
    'org.opencontainers.image.title',
    'org.opencontainers.image.version',
  ]);
});

test('a program for another architecture is found', () => {
  const folder = path.join(workspace, 'native');
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  copyFileSync(process.execPath, path.join(folder, 'bin/node'));
  writeFileSync(path.join(folder, 'text'), 'x');
  const [own, other] = process.arch === 'x64' ? [x64, arm64] : [arm64, x64];
  assert.equal(countNativeFiles(folder, own), 1);
  assert.throws(() => countNativeFiles(folder, other), /bin\/node is not for /);
});
