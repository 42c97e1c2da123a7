/** The name by which operators can deny models and data that state no license. */
export const UNSTATED_LICENSE = 'not stated';

/** The licenses that models and data may have. They are checked on every request. */
export interface Licenses {
  /** Whether no license is denied, so that nothing has to be checked. */
  readonly allowsAll: boolean;
  /** @param name the license that the model or the data states, or null if it states none */
  allows(name: string | null): boolean;
}

/** Returns an object that allows every license except the denied ones. @param denied names of licenses, in any case */
export function licensesWithout(denied: readonly string[]): Licenses {
  const names = new Set(denied.map(normalizeName));
  return {
    allowsAll: names.size === 0,
    allows: (name) => !names.has(normalizeName(name ?? UNSTATED_LICENSE)),
  };
}

export const ALL_LICENSES: Licenses = Object.freeze(licensesWithout([]));

/** Returns a license name in lower case, with single spaces and the American spelling: data files have both spellings. */
function normalizeName(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase().replaceAll('licence', 'license');
}
