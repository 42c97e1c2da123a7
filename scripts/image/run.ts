// Builds the image of the service from this checkout, Debian's packages and the npm registry, on Debian as root with
// mmdebstrap:
//
//   npm run image                                 for this machine, as release/almanac-VERSION-ARCH.oci.tar
//   npm run image -- --arch x64|arm64 [FOLDER]    for another one, or to another folder

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../package/locked-packages.ts';
import { DATA_FOLDER, writeAlmanacFiles } from './almanac-files.ts';
import { ARCHITECTURES } from './architecture.ts';
import { SUITE, writeDebianFiles } from './debian-files.ts';
import { type BuildOrigin, imageConfig, USER } from './image-config.ts';
import { countNativeFiles } from './native-files.ts';
import { BLOBS, writeArchive } from './write-archive.ts';
import { type Layer, writeLayer } from './write-layer.ts';

const { values, positionals } = parseArgs({
  options: { arch: { type: 'string', default: process.arch } },
  allowPositionals: true,
});
const architecture = ARCHITECTURES.find(({ npm }) => npm === values.arch);
if (architecture === undefined) fail(`--arch must be ${ARCHITECTURES.map(({ npm }) => npm).join(' or ')}.`);
for (const tool of ['mmdebstrap', 'dpkg-deb', 'tar', 'npm']) requireTool(tool);
if (process.getuid?.() !== 0) fail('The image is built as root, because mmdebstrap writes files of root.');

const origin = readOrigin();
const { version, epoch } = origin;
process.env.SOURCE_DATE_EPOCH = String(epoch);
process.umask(0o022);
const workspace = mkdtempSync(path.join(tmpdir(), 'almanac-image.'));
try {
  const layout = path.join(workspace, 'layout');
  const blobs = path.join(layout, BLOBS);
  const [debian, almanac] = ['debian-root', 'almanac-root'].map((name) => path.join(workspace, name)) as [
    string,
    string,
  ];
  for (const folder of [blobs, debian, almanac]) mkdirSync(folder, { recursive: true });
  writeDebianFiles(debian, architecture, workspace);
  writeAlmanacFiles(almanac, architecture, workspace);
  const native = countNativeFiles(debian, architecture) + countNativeFiles(almanac, architecture);

  const layers: [name: string, Layer][] = [
    [
      `Debian ${SUITE}`,
      await writeLayer(blobs, debian, { epoch, special: [{ folder: 'tmp', owner: 0, mode: '1777' }] }),
    ],
    [
      `Almanac ${version}`,
      await writeLayer(blobs, almanac, { epoch, special: [{ folder: DATA_FOLDER, owner: USER, mode: '0700' }] }),
    ],
  ];
  const folder = path.resolve(positionals[0] ?? 'release');
  mkdirSync(folder, { recursive: true });
  const archive = path.join(folder, `almanac-${version}-${architecture.npm}.oci.tar`);
  const config = imageConfig(origin, architecture, layers);
  const digest = writeArchive(layout, archive, {
    version,
    architecture,
    config,
    layers: layers.map(([, layer]) => layer),
    epoch,
  });
  for (const [name, { size, uncompressedSize }] of layers) {
    console.error(`${name}: ${megabytes(size)}, ${megabytes(uncompressedSize)} uncompressed`);
  }
  console.error(`${native} programs and libraries, all for ${architecture.npm}`);
  console.error(digest);
  console.log(archive);
} finally {
  rmSync(workspace, { recursive: true, force: true });
}

/** The time of the commit is the time of everything in the image. */
function readOrigin(): BuildOrigin {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const time = process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct');
  if (time === undefined || !/^\d+$/.test(time)) {
    fail('This folder is not a clone of a repository. Set SOURCE_DATE_EPOCH to the time of the build, in seconds.');
  }
  const { version, license, description } = manifest;
  return { version, license, description, revision: git('rev-parse', 'HEAD'), epoch: Number(time) };
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

function requireTool(tool: string): void {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
  } catch {
    fail(`${tool} is needed. On Debian: apt-get install mmdebstrap npm`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
