import { isUtf8 } from 'node:buffer';
import { type BodyLimits, MAX_BODY_VALUES, MAX_OBJECT_FIELDS } from '../../contract/body-limits.ts';
import { InlineRows, type RowColumns, type RowIssue, readInlineRows } from '../../contract/inline-rows.ts';
import {
  bodyNotUtf8,
  bodyTooDeep,
  invalidFields,
  invalidJson,
  protoFieldRefused,
  tooManyFields,
  tooManyOtherValues,
  tooManyValues,
} from './faults.ts';

/**
 * Maximum nesting depth of a body. Valid bodies are nested less deeply, and only far deeper ones could exhaust the
 * stack.
 */
const MAX_DEPTH = 32;

/** A parsed body. Its inline rows are apart, because they can move to another thread without being copied. */
export interface ParsedBody {
  readonly value: unknown;
  readonly rows: RowColumns | null;
}

/**
 * Parses the text of a body. Its size, depth and number of values are checked before a value is created, and inline
 * rows are checked in one pass, so that the time is proportional to the size of the text.
 */
export function parseJsonText(bytes: Uint8Array, limits: BodyLimits): ParsedBody {
  if (!isUtf8(bytes)) throw bodyNotUtf8();
  checkShape(bytes, limits.values);
  // A byte order mark is not a part of the text.
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidJson((error as SyntaxError).message);
  }
  const rows = limits.rows === undefined ? null : takeRows(value);
  if (limits.rows !== undefined && countValues(value, MAX_BODY_VALUES) > MAX_BODY_VALUES) {
    throw tooManyOtherValues(MAX_BODY_VALUES);
  }
  // The name can also be written with escapes. Few bodies contain the name or an escape, so few are searched.
  if (/__proto__|\\u/.test(text)) refuseProtoKeys(value);
  return { value, rows };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Walks the text of a body once and refuses too many levels, fields of one object, or values in total. The bytes of
 * these signs are not part of any other character in UTF-8.
 */
export function checkShape(bytes: Uint8Array, maxValues: number): void {
  /** Whether each open value is an object, and its number of commas. */
  const isObject = new Uint8Array(MAX_DEPTH + 1);
  const commas = new Uint32Array(MAX_DEPTH + 1);
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at++;
      // A backslash escapes the next character.
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH) throw bodyTooDeep(MAX_DEPTH);
      isObject[depth] = byte === 0x7b ? 1 : 0;
      commas[depth] = 0;
      if (++values > maxValues) throw tooManyValues(maxValues);
    } else if (byte === COMMA) {
      commas[depth] = (commas[depth] as number) + 1;
      if (isObject[depth] === 1 && (commas[depth] as number) >= MAX_OBJECT_FIELDS) throw tooManyFields();
      if (++values > maxValues) throw tooManyValues(maxValues);
    } else if ((byte === 0x7d || byte === 0x5d) && depth > 0) depth--;
  }
}

/** Takes the rows of an inline source out of a body and checks them. Returns null if the body has no inline source. */
function takeRows(value: unknown): RowColumns | null {
  if (!isRecord(value) || !isRecord(value.source) || value.source.type !== 'inline') return null;
  const { points, timestamps, values, ...source } = value.source;
  const rows = readInlineRows({ points, timestamps, values });
  if (!(rows instanceof InlineRows)) throw invalidFields(describeIssues(rows));
  value.source = source;
  return { ...rows };
}

function describeIssues(issues: readonly RowIssue[]): string {
  return issues.map(({ path, message }) => `${formatPath(['source', ...path])}: ${message}.`).join(' ');
}

function formatPath(path: readonly (string | number)[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index ? '.' : ''}${key}`)).join('');
}

/** Returns the number of fields and list items of a value, or a number above `max` as soon as there are more. */
function countValues(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  let count = inner.length;
  for (let at = 0; at < inner.length && count <= max; at++) count += countValues(inner[at], max - count);
  return count;
}

/** Refuses the key `__proto__`, which would change the prototype of an object it is copied to. */
function refuseProtoKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw protoFieldRefused();
  for (const inner of Object.values(value)) refuseProtoKeys(inner);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
