import { basename, join } from 'node:path';
import { z } from 'zod';
import {
  CHECKPOINT_MODELS,
  type Checkpoint,
  CheckpointError,
  MANIFEST_FILE,
  MAX_JSON_BYTES,
  MAX_WEIGHTS_BYTES,
  splitCheckpointId,
} from './checkpoint.ts';
import { readPlainFile } from './read-plain-file.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The required fields of manifest.json, which may have more. `licence` is spelled as in stored manifests. */
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

/** Returns the manifest of a checkpoint. `models list` also prints it. */
export function toManifest(checkpoint: Omit<Checkpoint, 'folder' | 'origin'>): Manifest {
  const { id, model, sha256, configSha256, source, license, size, installedAt } = checkpoint;
  return { id, model, sha256, config_sha256: configSha256, source, licence: license, size, installed_at: installedAt };
}

/** Reads only the manifest in a folder. The message of a thrown error completes "manifest.json cannot be used: …". */
export async function readManifest(folder: string, origin: Checkpoint['origin']): Promise<Checkpoint> {
  const parsed = Manifest.safeParse(JSON.parse(await readText(join(folder, MANIFEST_FILE))));
  if (!parsed.success) throw new Error(`the field ${parsed.error.issues[0]?.path.join('.')} is wrong`);
  const { id, config_sha256, installed_at, licence, ...rest } = parsed.data;
  if (basename(folder) !== id) throw new Error('its id is not the name of its folder');
  if (splitCheckpointId(id)?.weights !== rest.sha256.slice(0, 12)) throw new Error('its id is not that of its weights');
  return { id, ...rest, license: licence, configSha256: config_sha256, installedAt: installed_at, origin, folder };
}

async function readText(path: string): Promise<string> {
  const { bytes } = await readPlainFile(path, (size) => {
    if (size > MAX_JSON_BYTES) throw new Error('it is too long');
  });
  return new TextDecoder().decode(bytes);
}

export type ConfigValues = Readonly<Record<string, unknown>>;

/** Parses config.json. The model interprets the fields; this function only requires plain values. */
export function parseConfig(bytes: Uint8Array): ConfigValues {
  const value = bytes.length > MAX_JSON_BYTES ? undefined : parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CheckpointError('CONFIG_REFUSED', 'config.json is not a JSON object in UTF-8.');
  }
  for (const [field, content] of Object.entries(value)) {
    // Deep nesting would exhaust the stack of the code that reads the values later.
    const isPlain = Array.isArray(content) ? content.every(isScalar) : isScalar(content);
    if (!isPlain) throw new CheckpointError('CONFIG_REFUSED', `config.json: ${quote(field)} is not a plain value.`);
  }
  return value as ConfigValues;
}

/** Checks that the fields are exactly the pinned ones. Throws an error that names the first difference. */
export function requireConfig(config: ConfigValues, pinned: ConfigValues): void {
  for (const field of new Set([...Object.keys(pinned), ...Object.keys(config)])) {
    if (!Object.hasOwn(pinned, field)) refuse(`${quote(field)} is not a field of the release`);
    if (!Object.hasOwn(config, field)) refuse(`${field} is missing`);
    if (config[field] !== pinned[field])
      refuse(`${field} is ${quote(config[field])}, the release has ${pinned[field]}`);
  }
}

function refuse(reason: string): never {
  throw new CheckpointError('CONFIG_REFUSED', `config.json differs from the release: ${reason}.`);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object' || value === null;
}

/** Quotes a value from a file for a message: shortens it and removes line breaks. */
function quote(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
