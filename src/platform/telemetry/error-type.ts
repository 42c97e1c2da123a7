/** The kind of an error in a word: its code where it has one, else its name. Its message is never told. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return wordOf(error) ?? 'unknown';
  return wordOf('code' in error ? error.code : undefined) ?? wordOf(error.name) ?? 'unknown';
}

function wordOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(value) ? value : undefined;
}
