import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointId, manifestOf } from '../../src/compute/index.ts';

const GOLDEN = new URL('../../src/forecasting/models/toto/golden/', import.meta.url);

/**
 * Installs the tiny model with random weights in a data folder.
 *
 * @param name several of the same weights can be told apart by it
 * @returns the id
 */
export function installGolden(dataFolder: string, name = 'golden', installedAt = new Date()): string {
  const config = readFileSync(new URL('config.json', GOLDEN));
  const weights = readFileSync(new URL('model.safetensors', GOLDEN));
  const id = checkpointId(name, sha256(weights), JSON.parse(config.toString()));
  const folder = join(dataFolder, 'checkpoints', id);
  mkdirSync(folder, { recursive: true });
  for (const file of ['config.json', 'model.safetensors']) cpSync(new URL(file, GOLDEN), join(folder, file));
  const manifest = manifestOf({
    id,
    model: 'toto',
    sha256: sha256(weights),
    configSha256: sha256(config),
    source: 'https://example.org/golden/model.safetensors',
    licence: 'Apache-2.0',
    size: weights.length,
    installedAt: installedAt.toISOString(),
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return id;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
