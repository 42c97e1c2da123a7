import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../contract/index.ts';

/** The hash of new documents. A document names it in its field `hash`. */
export const PROOF_HASH = 'sha3-256';

/** The fields that a document adds to its content so that its id can be looked up but reveals nothing. */
export interface ProofSeal {
  readonly hash: typeof PROOF_HASH;
  /** 32 random bytes in hexadecimal digits. Without them, the content of a short document could be guessed from its id. */
  readonly salt: string;
}

/** Returns the seal of a new document. */
export function newSeal(): ProofSeal {
  return { hash: PROOF_HASH, salt: randomBytes(32).toString('hex') };
}

/**
 * Returns the content id of a document: `0x` and the hash of its canonical JSON (RFC 8785) in UTF-8. The hash is SHA3-256
 * if the field `hash` names it, and SHA-256 if the document has no such field. Throws a RangeError for another hash and
 * for a document with a value that has no canonical form.
 *
 * @example contentId({ b: 1, a: [] }) === contentId({ a: [], b: 1 })
 */
export function contentId(document: object): string {
  const [problem] = findUnhashable(document);
  if (problem !== undefined) throw new RangeError(problem);
  const algorithm = hashOf(document) ?? 'sha256';
  return `0x${createHash(algorithm).update(canonicalJson(document), 'utf8').digest('hex')}`;
}

/** Returns the id of a collection: `0x` and the SHA3-256 of its name in UTF-8. */
export function setCid(name: string): string {
  if (!name.isWellFormed()) throw new RangeError('The name contains half of a surrogate pair.');
  return `0x${createHash(PROOF_HASH).update(name, 'utf8').digest('hex')}`;
}

/** Yields why a document has no content id. */
export function* findUnhashable(document: object): Generator<string> {
  const hash = hashOf(document);
  if (hash !== undefined && hash !== PROOF_HASH)
    yield `hash: is not ${PROOF_HASH}, the only hash that can be verified.`;
  yield* findUnwritableValues(document, 'document');
}

function hashOf(document: object): string | undefined {
  // Anything else than a name of a hash is refused above.
  return (document as { readonly hash?: string }).hash;
}

/** Yields the path and the problem of every value that has no canonical JSON form. */
function* findUnwritableValues(value: unknown, path: string): Generator<string> {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) yield `${path}: contains half of a surrogate pair.`;
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) yield `${path}: is not a finite number.`;
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* findUnwritableValues(item, `${path}[${i}]`);
  } else if (isPlainObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (!key.isWellFormed()) yield `${path}: has a key that contains half of a surrogate pair.`;
      // A field that is undefined is absent from the JSON.
      if (field !== undefined) yield* findUnwritableValues(field, `${path}.${key}`);
    }
  } else if (value !== null && typeof value !== 'boolean') {
    yield `${path}: is not a JSON value.`;
  }
}

/**
 * Returns whether a value is a plain object. Dates, typed arrays and the like are not; JSON would write them as
 * something else.
 */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
