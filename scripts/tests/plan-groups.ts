/**
 * Matches the text of a file with a top-level await. All files of a group are loaded before the first test runs, so
 * such a file would keep its resources open during the tests of the other files.
 */
const WAITS_WHILE_LOADING = /^(?:const .*= |let .*= )?await /m;

/** @param source the text of a test file */
export function waitsWhileLoading(source: string): boolean {
  return WAITS_WHILE_LOADING.test(source);
}

/** Recorded durations by file, in milliseconds. */
export type Durations = Readonly<Record<string, number>>;

/** The assumed duration of a file that has no recorded one. */
const UNKNOWN_MS = 2_000;

export interface GroupOptions {
  readonly durations: Durations;
  /** Each group's share of the total duration, relative to the other shares. */
  readonly shares: readonly number[];
}

/**
 * Plans which test files share a process. Most files spend more time on loading modules than on testing, and they load
 * nearly the same modules, so few processes are best. Each file, longest first, is added to the group that is furthest
 * from its share; the longest group starts first, so that no core is idle at the end.
 */
export function planGroups(files: readonly string[], { durations, shares }: GroupOptions): readonly string[][] {
  const msOf = (file: string): number => durations[file] ?? UNKNOWN_MS;
  const longestFirst = files.toSorted((a, b) => msOf(b) - msOf(a) || (a < b ? -1 : 1));
  const groups = shares.map((share) => ({ files: [] as string[], ms: 0, share }));
  for (const file of longestFirst) {
    const after = (group: { readonly ms: number; readonly share: number }) => (group.ms + msOf(file)) / group.share;
    const emptiest = groups.reduce((best, group) => (after(group) < after(best) ? group : best));
    emptiest.files.push(file);
    emptiest.ms += msOf(file);
  }
  return groups
    .filter((group) => group.files.length > 0)
    .toSorted((a, b) => b.ms - a.ms)
    .map((group) => group.files);
}
