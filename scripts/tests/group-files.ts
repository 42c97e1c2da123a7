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

/**
 * Most test files take longer to load what they test than to test it, and neighbours load nearly the same. So they share
 * processes, some at a time: few enough that one group does not keep the last core waiting.
 */
export function groupFiles(files: readonly string[], size: number): string[][] {
  const sorted = files.toSorted();
  const alone = sorted.filter(isAlone);
  const together = sorted.filter((file) => !isAlone(file));
  const groups: string[][] = [];
  for (let from = 0; from < together.length; from += size) groups.push(together.slice(from, from + size));
  // Those that take long first: what is started last should be over soon.
  return [...alone.map((file) => [file]), ...groups];
}

function isAlone(file: string): boolean {
  return ALONE.some((pattern) => pattern.test(file));
}
