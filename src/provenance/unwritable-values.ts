/** Says of every value without a canonical JSON form where it is and why it has none. */
export function* unwritableValues(value: unknown, path = 'document'): Generator<string> {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) yield `${path}: has half of a surrogate pair.`;
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) yield `${path}: is not a finite number.`;
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* unwritableValues(item, `${path}[${i}]`);
  } else if (isPlainObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (!key.isWellFormed()) yield `${path}: has a key with half of a surrogate pair.`;
      // A field that is undefined is a field that is not there.
      if (field !== undefined) yield* unwritableValues(field, `${path}.${key}`);
    }
  } else if (value !== null && typeof value !== 'boolean') {
    yield `${path}: is no JSON value.`;
  }
}

/** Dates, typed arrays and the like would be written as something they are not. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
