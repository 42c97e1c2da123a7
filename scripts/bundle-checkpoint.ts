// Bundles a trained checkpoint with the service: copies it to checkpoints/ under its id, with a manifest. New forecasts
// use it from then on; earlier bundled checkpoints stay, so that forecasts made with them can be reproduced.
//
//   node scripts/launch.mjs scripts/bundle-checkpoint.ts FOLDER NAME

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  CONFIG_FILE,
  checkpointId,
  isCheckpointName,
  MANIFEST_FILE,
  WEIGHTS_FILE,
} from '../src/compute/checkpoints/checkpoint.ts';
import { parseConfig, toManifest } from '../src/compute/checkpoints/manifest.ts';
import { checkCheckpoint } from '../src/engine/index.ts';

const [folder, name] = process.argv.slice(2);
if (folder === undefined || name === undefined || !isCheckpointName(name)) {
  throw new Error('Give the folder of the checkpoint and a name in lower case, such as almanac-toto-9m.');
}
const config = readFileSync(path.join(folder, CONFIG_FILE));
const weights = readFileSync(path.join(folder, WEIGHTS_FILE));
checkCheckpoint({ config, weights });

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const sha256 = hash(weights);
const manifest = toManifest({
  id: checkpointId(name, sha256, parseConfig(config)),
  model: 'toto',
  sha256,
  configSha256: hash(config),
  source: 'training/ of this project',
  license: 'Apache-2.0',
  size: weights.length,
  installedAt: new Date().toISOString(),
});
const target = path.join(import.meta.dirname, '../checkpoints', manifest.id);
mkdirSync(target);
writeFileSync(path.join(target, CONFIG_FILE), config);
writeFileSync(path.join(target, WEIGHTS_FILE), weights);
writeFileSync(path.join(target, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`checkpoints/${manifest.id}`);
