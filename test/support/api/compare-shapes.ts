/**
 * Returns the first difference between the shapes of two JSON values: a missing or an additional key, or a value of
 * another type. Null has every shape, and lists are compared by their first items. Returns null if there is none.
 */
export function findShapeDifference(expected: unknown, actual: unknown, path = ''): string | null {
  if (expected === null || actual === null) return null;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const both = expected.length > 0 && actual.length > 0;
    return both ? findShapeDifference(expected[0], actual[0], `${path}[0]`) : null;
  }
  if (kindOf(expected) !== kindOf(actual)) return `${path} is ${kindOf(actual)} instead of ${kindOf(expected)}`;
  if (!isRecord(expected) || !isRecord(actual)) return null;
  const keys = Object.keys(expected);
  const missing = keys.filter((key) => !(key in actual));
  const additional = Object.keys(actual).filter((key) => !(key in expected));
  if (missing.length > 0) return `${path} has no ${missing.join(', ')}`;
  if (additional.length > 0) return `${path} has the additional keys ${additional.join(', ')}`;
  for (const key of keys) {
    const difference = findShapeDifference(expected[key], actual[key], `${path}.${key}`);
    if (difference !== null) return difference;
  }
  return null;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a value of the type ${typeof value}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
