/** Files that change process-wide state (telemetry, the clock) or share one browser, and need their own process. */
const OWN_PROCESS = [
  /^test\/browser\//,
  /^src\/platform\/telemetry\//,
  /^test\/platform\/telemetry/,
  /^test\/upgrade\//,
];

/**
 * Matches a file with a top-level await. All files of a group are loaded before the first test runs, so such a file would
 * hold its resources open during the tests of the others.
 */
const WAITS_WHILE_LOADING = /^(?:const .*= |let .*= )?await /m;

/** @param source the text of the file */
export function needsOwnProcess(file: string, source: string): boolean {
  return OWN_PROCESS.some((pattern) => pattern.test(file)) || WAITS_WHILE_LOADING.test(source);
}

/** Recorded durations by file, in milliseconds. */
export type Durations = Readonly<Record<string, number>>;

/** The assumed duration of a file that has no recorded one. */
const UNKNOWN_MS = 2_000;

export interface GroupOptions {
  readonly durations: Durations;
  /** How many groups the files that can share a process are spread over. */
  readonly groupCount: number;
  readonly isAlone: (file: string) => boolean;
}

/**
 * Plans which test files share a process. Most files spend more time on loading modules than on testing, and they load
 * nearly the same modules, so few processes are best. Each file, longest first, is added to the shortest group so far;
 * the longest group starts first, so that no core is idle at the end.
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
