/**
 * Returns the canonical JSON text of a value (RFC 8785): keys are sorted, there are no spaces, and numbers and strings
 * are written as `JSON.stringify` writes them.
 *
 * @example canonicalJson({ b: 1, a: [0.5, null] }) // '{"a":[0.5,null],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} has no JSON form.`);
    return JSON.stringify(value);
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    // RFC 8785 sorts by UTF-16 code units, as `<` does.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
