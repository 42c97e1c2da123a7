import { createSeededRandom, type Random } from '../../platform/seeded-random.ts';

/** A value as it was published. */
export interface Version {
  readonly value: number;
  readonly publishedAt: number;
}

/** A row with everything that was ever published for it, the oldest version first. */
export interface PublishedRow {
  readonly timestamp: number;
  readonly versions: readonly Version[];
}

/** Returns what a row showed at an instant; undefined before its publication. */
export function versionAt({ versions }: PublishedRow, instant: number): Version | undefined {
  return versions.findLast(({ publishedAt }) => publishedAt <= instant);
}

/** Returns the rows that were published by an instant, with their values at it. */
export function valuesAt(
  rows: readonly PublishedRow[],
  instant: number,
): { readonly timestamp: number; readonly value: number }[] {
  return rows.flatMap((row) => {
    const version = versionAt(row, instant);
    return version === undefined ? [] : [{ timestamp: row.timestamp, value: version.value }];
  });
}

export interface WalkOptions {
  readonly seed: number;
  readonly start: number;
  /** The largest relative change from one row to the next. */
  readonly spread: number;
  /** The share of a wave with this number of rows. */
  readonly season?: { readonly rows: number; readonly share: number };
}

/** Returns a repeatable walk, in hundredths of a unit, so that a quarter of a value has few decimals. */
export function walk(count: number, { seed, start, spread, season }: WalkOptions): number[] {
  const random = createSeededRandom(seed);
  let level = start;
  return Array.from({ length: count }, (_, i) => {
    level *= 1 + spread * (random() + random() + random() - 1.5);
    const wave = season ? 1 + season.share * Math.sin((2 * Math.PI * i) / season.rows) : 1;
    return Math.round(100 * level * wave) / 100;
  });
}

/** Returns a changed value, as a correction or a revision has it: by up to the share, and by at least half of it. */
export function revise(value: number, share: number, random: Random): number {
  const change = share * (0.5 + random() / 2) * (random() < 0.5 ? -1 : 1);
  return Math.round(100 * value * (1 + change)) / 100;
}
