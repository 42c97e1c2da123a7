import type { PublishedScore } from './published-scores.ts';

/**
 * How a source defines its scores. They agree on MASE and WQL for one window, and differ in how they combine windows and
 * in the quantiles of seasonal naive.
 */
export type Definition = 'chronos' | 'gift' | 'fev';

/** The words for each definition in tables. */
export const DEFINITION_NAMES: Readonly<Record<Definition, string>> = {
  chronos: 'Chronos zero-shot',
  gift: 'GIFT-Eval',
  fev: 'fev-bench',
};

/** A data set with published scores is named after its source: `gift:…`, `fev:…`, or a name without a prefix. */
export function definitionOf(key: string): Definition {
  if (key.startsWith('gift:')) return 'gift';
  return key.startsWith('fev:') ? 'fev' : 'chronos';
}

/**
 * Returns the published data sets that a line of a file belongs to. The name of the file decides: `hospital.txt` is both
 * `monash_hospital` and `gift:hospital/M/short`, `us_births_D.txt` is `gift:us_births/D/short`, `NAME-fev2w.txt` has the
 * windows of `fev:NAME`, and `m3-dev.txt`, a part of M3, is divided by period into `monash_m3_yearly` and so on.
 *
 * @param name the name of the file without its extension
 * @param group the period of the line in lower case
 */
export function keysOf(name: string, group: string, published: readonly PublishedScore[]): string[] {
  const isFev = /-fev\d+w$/.test(name);
  const set = name.replace(/-(dev|fev\d+w)$/, '');
  // A name of pandas for the period: D, W, M, Q, H, and A for years.
  const letter = group === 'yearly' ? 'A' : group.charAt(0).toUpperCase();
  const keys = isFev
    ? [`fev:${set}`]
    : [
        set,
        `monash_${set}`,
        `monash_${set}_${group}`,
        `gift:${set}/${letter}/short`,
        `gift:${set.replace(/_([A-Z])$/, '/$1')}/short`,
      ];
  return keys.filter((key) => published.some((one) => one.key === key));
}
