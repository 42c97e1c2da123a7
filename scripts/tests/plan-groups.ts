/** Files that change the state of their whole process (telemetry, the clock) and therefore need their own. */
const OWN_PROCESS = [/^src\/platform\/telemetry\//, /^test\/platform\/telemetry/, /^test\/upgrade\//];

/**
 * A file that waits while it is loaded. All files of a group are loaded before the first test runs, so such a file would
 * hold its resources open beside the tests of the others.
 */
const WAITS_WHILE_LOADING = /^(?:const .*= |let .*= )?await /m;

/** @param source the text of the file */
export function needsOwnProcess(file: string, source: string): boolean {
  return OWN_PROCESS.some((pattern) => pattern.test(file)) || WAITS_WHILE_LOADING.test(source);
}

/** Recorded durations by file, in milliseconds. */
export type Durations = Readonly<Record<string, number>>;

/** Assumed for a file that has no recorded duration yet. */
const UNKNOWN_MS = 2_000;

export interface GroupOptions {
  readonly durations: Durations;
  /** How many groups the files that can share a process are spread over. */
  readonly groupCount: number;
  readonly isAlone: (file: string) => boolean;
}

/**
 * Plans which test files share a process. Most files take longer to load what they test than to test it, and they load
 * nearly the same, so few processes are best. Files go, longest first, into the group that is shortest so far; groups
 * start longest first, so that no core is idle at the end.
 */
export function planGroups(
  files: readonly string[],
  { durations, groupCount, isAlone }: GroupOptions,
): readonly string[][] {
  const msOf = (file: string): number => durations[file] ?? UNKNOWN_MS;
  const longestFirst = files.toSorted((a, b) => msOf(b) - msOf(a) || (a < b ? -1 : 1));
  const alone = longestFirst.filter(isAlone).map((file) => ({ files: [file], ms: msOf(file) }));
  const shared = Array.from({ length: groupCount }, () => ({ files: [] as string[], ms: 0 }));
  for (const file of longestFirst.filter((one) => !isAlone(one))) {
    const shortest = shared.reduce((best, group) => (group.ms < best.ms ? group : best));
    shortest.files.push(file);
    shortest.ms += msOf(file);
  }
  return [...alone, ...shared.filter((group) => group.files.length > 0)]
    .toSorted((a, b) => b.ms - a.ms)
    .map((group) => group.files);
}
