/** Stands for the name of a license that is not stated. */
export const UNSTATED_LICENSE = 'not stated';

/** The licenses under which models and data may be used. Checked on every request. */
export interface Licenses {
  /** No license is denied, so that callers need not check. */
  readonly allowsAll: boolean;
  /** @param name as the model or the data states it; null: not stated */
  allows(name: string | null): boolean;
}

/** Returns every license except the denied ones. @param denied names of licenses, in any case */
export function licensesWithout(denied: readonly string[]): Licenses {
  const names = new Set(denied.map(normalizeName));
  return {
    allowsAll: names.size === 0,
    allows: (name) => !names.has(normalizeName(name ?? UNSTATED_LICENSE)),
  };
}

export const ALL_LICENSES: Licenses = Object.freeze(licensesWithout([]));

/** Ignores case and extra spaces, and reads the British spelling of "license" as the American one: data files use both. */
function normalizeName(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase().replaceAll('licence', 'license');
}
