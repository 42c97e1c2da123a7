import { createHash } from 'node:crypto';
import { canonicalJson } from '../engine/index.ts';
import { unwritableValues } from './unwritable-values.ts';

/**
 * The name of a document by what it says: `0x` and the SHA-256 of its canonical JSON (RFC 8785) in UTF-8. Throws a
 * RangeError for a document with a value that has no such form.
 *
 * @example contentId({ b: 1, a: [] }) === contentId({ a: [], b: 1 })
 */
export function contentId(document: object): string {
  const [unwritable] = unwritableValues(document);
  if (unwritable !== undefined) throw new RangeError(unwritable);
  return `0x${createHash('sha256').update(canonicalJson(document), 'utf8').digest('hex')}`;
}
