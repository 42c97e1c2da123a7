/**
 * Writes a JavaScript value as the text PGlite sends to the engine, by the rules of the pg driver, so that a statement
 * accepted (or refused) by one database is accepted (or refused) by the other. PGlite's own rules depend on the type of
 * the parameter; for example it takes a JavaScript array as JSON where pg sends a PostgreSQL array.
 */
export function encodeParameter(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return hexBytes(value);
  if (Array.isArray(value)) return arrayLiteral(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function hexBytes(view: ArrayBufferView): string {
  return `\\x${Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex')}`;
}

function arrayLiteral(items: readonly unknown[]): string {
  const parts = items.map((item) => {
    if (item === null || item === undefined) return 'NULL';
    if (Array.isArray(item)) return arrayLiteral(item);
    return `"${encodeParameter(item).replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${parts.join(',')}}`;
}
