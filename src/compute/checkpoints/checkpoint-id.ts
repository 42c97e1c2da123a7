import { createHash } from 'node:crypto';
import { canonicalJson } from '../../engine/index.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const ID = /^(?<name>[a-z0-9][a-z0-9._-]{0,63})@(?<weights>[0-9a-f]{12})-(?<config>[0-9a-f]{8})$/;

/** A name that can be part of an id, and so of the name of a folder. */
export function isCheckpointName(text: string): boolean {
  return NAME.test(text);
}

/**
 * The id of a checkpoint: a name, the first 12 digits of the weights' sha256 and the first 8 of the config's. Of the
 * config the values count and not their spelling; it has to take part, because fields such as `norm_eps` change the
 * forecast and leave every tensor as it is.
 *
 * @example checkpointId('toto-2.0-4m', sha256, config) // 'toto-2.0-4m@316660d5afb4-0f1f6a5b'
 */
export function checkpointId(name: string, sha256: string, config: Readonly<Record<string, unknown>>): string {
  return `${name}@${sha256.slice(0, 12)}-${createHash('sha256').update(canonicalJson(config)).digest('hex').slice(0, 8)}`;
}

/** The parts of an id, or null for a text that is none. */
export function splitCheckpointId(id: string): { name: string; weights: string; config: string } | null {
  const { name = '', weights = '', config = '' } = ID.exec(id)?.groups ?? {};
  return name === '' ? null : { name, weights, config };
}
