import { MAX_JSON_BYTES } from './checkpoint.ts';
import { CheckpointError } from './checkpoint-error.ts';

export type ConfigValues = Readonly<Record<string, unknown>>;

/** The fields of a config.json. What they mean is the model's affair; here they only have to be plain. */
export function parseConfig(bytes: Uint8Array): ConfigValues {
  const value = bytes.length > MAX_JSON_BYTES ? undefined : parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CheckpointError('CONFIG_REFUSED', 'config.json is not a JSON object in UTF-8.');
  }
  for (const [field, held] of Object.entries(value)) {
    // Endless nesting would exhaust whoever walks through it.
    const isPlain = Array.isArray(held) ? held.every(isScalar) : isScalar(held);
    if (!isPlain) throw new CheckpointError('CONFIG_REFUSED', `config.json: ${quote(field)} is no plain value.`);
  }
  return value as ConfigValues;
}

/** Throws unless the fields are exactly those that are pinned; the message names the first that differs. */
export function requireConfig(config: ConfigValues, pinned: ConfigValues): void {
  for (const field of new Set([...Object.keys(pinned), ...Object.keys(config)])) {
    if (!Object.hasOwn(pinned, field)) refuse(`${quote(field)} is not a field of the release`);
    if (!Object.hasOwn(config, field)) refuse(`${field} is missing`);
    if (config[field] !== pinned[field])
      refuse(`${field} is ${quote(config[field])}, the release has ${pinned[field]}`);
  }
}

function refuse(why: string): never {
  throw new CheckpointError('CONFIG_REFUSED', `config.json is not that of the release: ${why}.`);
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

/** Cut, and without line breaks: it came from elsewhere. */
function quote(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
