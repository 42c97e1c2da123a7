import { basename, join } from 'node:path';
import { z } from 'zod';
import { CHECKPOINT_MODELS, type Checkpoint, MANIFEST_FILE, MAX_JSON_BYTES, MAX_WEIGHTS_BYTES } from './checkpoint.ts';
import { splitCheckpointId } from './checkpoint-id.ts';
import { readPlainFile } from './read-plain-file.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What manifest.json says. Fields that are not listed may stand beside these. */
const Manifest = z.object({
  id: z.string(),
  model: z.enum(CHECKPOINT_MODELS),
  sha256: Sha256,
  config_sha256: Sha256,
  source: z.string(),
  licence: z.string().nullable(),
  size: z.int().min(0).max(MAX_WEIGHTS_BYTES),
  installed_at: z.iso.datetime(),
});
export type Manifest = z.output<typeof Manifest>;

/** The manifest of a checkpoint, as `models list` shows it too. */
export function manifestOf(checkpoint: Omit<Checkpoint, 'folder' | 'origin'>): Manifest {
  const { id, model, sha256, configSha256, source, licence, size, installedAt } = checkpoint;
  return { id, model, sha256, config_sha256: configSha256, source, licence, size, installed_at: installedAt };
}

/** Reads the checkpoint in a folder by its manifest alone; the error of one that cannot be used says why. */
export async function readManifest(folder: string, origin: Checkpoint['origin']): Promise<Checkpoint> {
  const parsed = Manifest.safeParse(JSON.parse(await readText(join(folder, MANIFEST_FILE))));
  if (!parsed.success) throw new Error(`the field ${parsed.error.issues[0]?.path.join('.')} is wrong`);
  const { id, config_sha256, installed_at, ...rest } = parsed.data;
  if (basename(folder) !== id) throw new Error('its id is not the name of its folder');
  if (splitCheckpointId(id)?.weights !== rest.sha256.slice(0, 12)) throw new Error('its id is not that of its weights');
  return { id, ...rest, configSha256: config_sha256, installedAt: installed_at, origin, folder };
}

async function readText(path: string): Promise<string> {
  const { bytes } = await readPlainFile(path, (size) => {
    if (size > MAX_JSON_BYTES) throw new Error('it is too long');
  });
  return new TextDecoder().decode(bytes);
}
