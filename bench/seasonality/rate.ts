/** How often something happened: `count` out of `of` times. */
export interface Rate {
  readonly count: number;
  readonly of: number;
}

export function rateOf(outcomes: readonly boolean[]): Rate {
  return { count: outcomes.filter(Boolean).length, of: outcomes.length };
}

/** @example '97.5% (39/40)' */
export function formatRate({ count, of }: Rate): string {
  return of === 0 ? 'none' : `${((100 * count) / of).toFixed(1)}% (${count}/${of})`;
}
