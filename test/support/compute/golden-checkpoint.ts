import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckpointFiles, checkpointId, toManifest } from '../../../src/compute/index.ts';

const GOLDEN = new URL('../../engine/toto-golden/', import.meta.url);

/** Returns the files of the tiny model with random weights. */
export function goldenFiles(): CheckpointFiles {
  return { config: read('config.json'), weights: read('model.safetensors') };
}

/** Returns the tiny model with another value in one of its scalars. With 1e30 it can be read but not run. */
export function goldenWith(scalar: string, value: number): CheckpointFiles {
  const { config, weights } = goldenFiles();
  const view = new DataView(weights.buffer, weights.byteOffset, weights.length);
  const headerEnd = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(Buffer.from(weights.subarray(8, headerEnd)).toString());
  view.setFloat32(headerEnd + header[scalar].data_offsets[0], value, true);
  return { config, weights };
}

/**
 * Installs the tiny model in a data folder.
 *
 * @param name distinguishes several installations of the same weights
 * @returns the id
 */
export function installGolden(dataFolder: string, name = 'golden', installedAt = new Date()): string {
  return installFiles(dataFolder, goldenFiles(), name, installedAt);
}

/** Installs any files with a matching manifest. */
export function installFiles(
  dataFolder: string,
  { config, weights }: CheckpointFiles,
  name: string,
  installedAt = new Date(),
  license: string | null = 'Apache-2.0',
): string {
  const id = checkpointId(name, sha256(weights), JSON.parse(Buffer.from(config).toString()));
  const folder = join(dataFolder, 'checkpoints', id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), config);
  writeFileSync(join(folder, 'model.safetensors'), weights);
  const manifest = toManifest({
    id,
    model: 'toto',
    sha256: sha256(weights),
    configSha256: sha256(config),
    source: 'https://example.org/golden/model.safetensors',
    license,
    size: weights.length,
    installedAt: installedAt.toISOString(),
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return id;
}

function read(name: string): Uint8Array {
  // A copy, so that a change to it stays with the caller.
  return new Uint8Array(readFileSync(new URL(name, GOLDEN)));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
