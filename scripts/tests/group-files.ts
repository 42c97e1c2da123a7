/**
 * Files that need a process of their own: they start threads, processes or a browser, change what is one for the whole
 * process (telemetry), or take so long that others would wait for them.
 */
const ALONE = [
  /^src\/compute\/(?!checkpoints\/)/,
  /^src\/platform\/(telemetry|mail|log)\//,
  /^test\/(browser|callers|fuzz|cli|platform)\//,
  /^test\/forecasts\/(watching|worker|races|toto|run)\./,
];

/** All files of a group are loaded before the first test runs: what one holds open meanwhile, all others wait beside. */
const WAITS_WHILE_LOADING = /^(?:const .*= |let .*= )?await /m;

/** @param source the text of the file */
export function needsOwnProcess(file: string, source: string): boolean {
  return ALONE.some((pattern) => pattern.test(file)) || WAITS_WHILE_LOADING.test(source);
}

/**
 * Most test files take longer to load what they test than to test it, and neighbours load nearly the same. So they share
 * processes, some at a time: few enough that one group does not keep the last core waiting.
 */
export function groupFiles(files: readonly string[], size: number, isAlone: (file: string) => boolean): string[][] {
  const sorted = files.toSorted();
  const alone = sorted.filter(isAlone);
  const together = sorted.filter((file) => !alone.includes(file));
  const groups: string[][] = [];
  for (let from = 0; from < together.length; from += size) groups.push(together.slice(from, from + size));
  // Those that take long first: what is started last should be over soon.
  return [...alone.map((file) => [file]), ...groups];
}
