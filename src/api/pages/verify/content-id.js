import { sha3_256 } from '@noble/hashes/sha3.js';

export const MAX_PROOF_SIZE = 8 * 1024 * 1024;
const MAX_VALUES = 250_000;
const MAX_DEPTH = 64;

/**
 * Returns why a text must not be parsed, mainly because two parsers could read it as different documents; null if it may
 * be parsed.
 *
 * @param {string} text
 * @returns {string | null}
 */
export function findTextProblem(text) {
  if (text.length > MAX_PROOF_SIZE) return `The file has more than ${MAX_PROOF_SIZE} characters.`;
  /** @type {(Set<string> | null)[]} the keys of each open object; null for an open array */
  const open = [];
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') open.push(character === '{' ? new Set() : null);
    if (open.length > MAX_DEPTH) return `The file is nested more than ${MAX_DEPTH} levels deep.`;
    if (character === '}' || character === ']') open.pop();
    if (character === '{' || character === '[' || character === ',') values++;
    if (values > MAX_VALUES) return `The file has more than ${MAX_VALUES} values.`;
    if (character !== '"') continue;
    const start = at++;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    const key = isFollowedByColon(text, at) ? decode(text.slice(start, at + 1)) : null;
    if (key === '__proto__') return 'The file has the key "__proto__", which some parsers drop.';
    if (key !== null && open.at(-1)?.has(key))
      return `The file has the key ${JSON.stringify(key)} twice in one object.`;
    if (key !== null) open.at(-1)?.add(key);
  }
  return null;
}

/**
 * Returns whether a string is a key: in JSON only keys are followed by a colon.
 *
 * @param {string} text
 * @param {number} end
 */
function isFollowedByColon(text, end) {
  let at = end + 1;
  while (' \t\n\r'.includes(text[at] ?? '!')) at++;
  return text[at] === ':';
}

/**
 * Decodes a string literal, because escapes allow several spellings of one key.
 *
 * @param {string} literal
 * @returns {string | null}
 */
function decode(literal) {
  try {
    return JSON.parse(literal);
  } catch {
    return null;
  }
}

/**
 * Returns the content id of a document: the hash that it names (SHA-256 if it names none) of its canonical JSON
 * (RFC 8785). Throws a RangeError if it has no id.
 *
 * @param {Readonly<Record<string, unknown>>} document
 * @returns {Promise<string>}
 */
export async function contentId(document) {
  if (document.hash !== undefined && document.hash !== 'sha3-256') {
    throw new RangeError('hash: is not sha3-256. This page cannot verify documents with another hash.');
  }
  const bytes = new TextEncoder().encode(canonicalJson(document, 'document'));
  const digest = document.hash ? sha3_256(bytes) : new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `0x${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {string}
 */
function canonicalJson(value, path) {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${path}: is not a finite number.`);
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new RangeError(`${path}: contains half of a surrogate pair.`);
  }
  if (Array.isArray(value)) return `[${value.map((item, i) => canonicalJson(item, `${path}[${i}]`)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // Without a comparison function, `sort` compares UTF-16 code units, as RFC 8785 requires.
  const fields = Object.keys(value).sort();
  if (!fields.every((key) => key.isWellFormed())) {
    throw new RangeError(`${path}: has a key that contains half of a surrogate pair.`);
  }
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key], `${path}.${key}`)}`).join(',')}}`;
}

/**
 * @param {unknown} value
 * @returns {value is Readonly<Record<string, unknown>>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
