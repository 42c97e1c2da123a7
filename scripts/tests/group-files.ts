/**
 * Files that need a process of their own: they start threads, processes or a browser, or change what is one for the whole
 * process (telemetry).
 */
const ALONE = [
  /^scripts\//,
  /^src\/compute\//,
  /^src\/platform\/(telemetry|mail|log)\//,
  /^test\/(architecture|browser|fuzz|service|telemetry)\//,
  /^test\/forecasts\/(watching|worker|races|toto|run)\./,
];

/** What stands around all tests of a process, not of a file: others would begin or end it too early. */
const AROUND_ALL = /^(?:before|after|beforeEach|afterEach)\(|^(?:const .*= |let .*= )?(?:await |shareService\()/m;

/** @param source the text of the file */
export function needsOwnProcess(file: string, source: string): boolean {
  return ALONE.some((pattern) => pattern.test(file)) || AROUND_ALL.test(source);
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
