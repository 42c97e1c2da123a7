/** Names come from callers, too. */
const SHOWN_CHARACTERS = 60;

/**
 * Where a field is, as every message writes it.
 *
 * @example fieldPath(['resource_scope', 'csv', 'ids', 0]) // resource_scope.csv.ids[0]
 */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index ? '.' : ''}${String(key).slice(0, SHOWN_CHARACTERS)}`,
    )
    .join('');
}
