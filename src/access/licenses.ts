import { Fault } from '../contract/index.ts';

/** What stands for the name of a licence where nobody has said one. */
export const UNSTATED_LICENSE = 'not stated';

/** Under which licences models and data are used here. Asked on every request. */
export interface Licenses {
  /** Whether none is denied, so that there is nothing to ask. */
  readonly isOpen: boolean;
  /** @param name as the thing is described with; null: nobody has said it */
  allows(name: string | null): boolean;
}

/** @param denied names of licences, in capitals or not */
export function licensesWithout(denied: readonly string[]): Licenses {
  const names = new Set(denied.map(spelt));
  return {
    isOpen: names.size === 0,
    allows: (name) => !names.has(spelt(name ?? UNSTATED_LICENSE)),
  };
}

/** Where nothing is denied. */
export const EVERY_LICENSE: Licenses = Object.freeze(licensesWithout([]));

function spelt(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** @param what is under it, at the beginning of a sentence */
export function licenseDenied(what: string, name: string | null): Fault {
  const license = JSON.stringify(name ?? UNSTATED_LICENSE);
  return new Fault('LICENSE_DENIED', `${what} is under the licence ${license}, which may not be used here.`);
}
