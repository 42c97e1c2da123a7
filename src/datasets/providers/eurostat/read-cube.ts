import { cleanText, isRecord, malformed, readRecord } from '../../../platform/index.ts';
import { parseInstant } from '../parse-instant.ts';
import type { Dimension } from '../provider.ts';
import { EUROSTAT, isField, isValue } from './eurostat-ids.ts';

/** A reply in JSON-stat 2.0: a cube whose last step, the cells, is read separately. */
export interface Cube {
  readonly title: string;
  /** The code of the data set in lower case; null if the reply does not state it. */
  readonly code: string | null;
  /** In the order of the data set, without the time. A dimension has no values if the request names none of them. */
  readonly dimensions: readonly Dimension[];
  /** The periods as Eurostat writes them, by their position. */
  readonly periods: readonly string[];
  /** The instant of the last change, in ISO 8601 with milliseconds and Z; null if it is not stated. */
  readonly lastUpdate: string | null;
  readonly value: unknown;
  readonly status: unknown;
  readonly extension: Readonly<Record<string, unknown>>;
}

const TIME = 'time';
/** Several times the length of the longest titles and labels. Longer ones are cut. */
export const MAX_TEXT_LENGTH = 2_000;
/** Limits the work for one reply. The largest data sets have some thousands of values in a dimension. */
const MAX_VALUES = 100_000;
const MAX_DIMENSIONS = 30;

/**
 * Reads the dimensions of a reply. They list every value of the data set that the request selects, also the values
 * without data, which `extension` names as `positions-with-no-data`. Throws a `ProviderError` with the fault MALFORMED
 * if the reply is not a cube.
 */
export function readCube(reply: unknown): Cube {
  const fields = readRecord(EUROSTAT, reply);
  const { id, size, dimension, value, status, updated } = fields;
  if (fields.class !== 'dataset') throw malformed(EUROSTAT, 'class');
  if (!Array.isArray(id) || !Array.isArray(size) || id.length !== size.length || id.length > MAX_DIMENSIONS) {
    throw malformed(EUROSTAT, 'dimensions');
  }
  const byId = readRecord(EUROSTAT, dimension);
  const dimensions: Dimension[] = [];
  let periods: readonly string[] | undefined;
  const seen = new Set<string>();
  for (const [i, field] of id.entries()) {
    if (typeof field !== 'string' || !Object.hasOwn(byId, field)) throw malformed(EUROSTAT, 'dimensions');
    // Eurostat reads the names of parameters in any case.
    if (seen.has(field.toLowerCase())) throw malformed(EUROSTAT, 'a dimension twice');
    seen.add(field.toLowerCase());
    const one = readRecord(EUROSTAT, byId[field]);
    const category = readRecord(EUROSTAT, one.category);
    const codes = readCodes(category.index, size[i]);
    if (field === TIME) periods = codes;
    else dimensions.push(readDimension(field, one.label, codes, category.label));
  }
  if (periods === undefined || dimensions.length === 0) throw malformed(EUROSTAT, 'dimensions');
  const extension = isRecord(fields.extension) ? fields.extension : {};
  return {
    title: readText(fields.label) ?? fail('title'),
    code: readCode(extension.id),
    dimensions,
    periods,
    lastUpdate: typeof updated === 'string' ? parseInstant(updated) : null,
    value,
    status,
    extension,
  };
}

function readCode(id: unknown): string | null {
  if (id === undefined) return null;
  return typeof id === 'string' ? id.toLowerCase() : fail('code');
}

/** Returns the codes of a dimension by position. JSON-stat has them as a list, or as an object with positions. */
function readCodes(index: unknown, size: unknown): readonly string[] {
  const codes: unknown[] = Array.isArray(index) ? index : [];
  if (!Array.isArray(index)) {
    for (const [code, position] of Object.entries(readRecord(EUROSTAT, index))) {
      if (typeof position !== 'number' || !Number.isInteger(position) || position < 0 || position >= MAX_VALUES) {
        throw malformed(EUROSTAT, 'a position');
      }
      if (codes[position] !== undefined) throw malformed(EUROSTAT, 'a position twice');
      codes[position] = code;
    }
  }
  if (codes.length !== size || codes.length > MAX_VALUES) throw malformed(EUROSTAT, 'number of values');
  const known = new Set<unknown>();
  for (const code of codes) {
    if (typeof code !== 'string' || known.has(code)) throw malformed(EUROSTAT, 'a value of a dimension');
    known.add(code);
  }
  return codes as string[];
}

function readDimension(field: string, label: unknown, codes: readonly string[], labels: unknown): Dimension {
  // A dimension with the name of another parameter could not be filtered by.
  if (!isField(field)) throw malformed(EUROSTAT, 'name of a dimension');
  const byCode = isRecord(labels) ? labels : {};
  const values = codes.map((value) => {
    if (!isValue(value)) throw malformed(EUROSTAT, 'a value of a dimension');
    return { value, label: (Object.hasOwn(byCode, value) ? readText(byCode[value]) : null) ?? value };
  });
  return { field, label: readText(label) ?? field, values };
}

/** Returns a text on one line, which the database can store; null if it is not a text or is empty. */
export function readText(value: unknown): string | null {
  const text = typeof value === 'string' ? cleanText(value, MAX_TEXT_LENGTH) : '';
  return text === '' ? null : text;
}

function fail(detail: string): never {
  throw malformed(EUROSTAT, detail);
}
