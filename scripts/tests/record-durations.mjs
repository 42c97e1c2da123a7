// A reporter of Node's test runner that writes how long each test file took, as JSON.

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* recordDurations(source) {
  /** @type {Record<string, number>} */
  const durations = {};
  const root = `${process.cwd()}/`;
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0) continue;
    // A file that shares its process is a suite with the name of the file; tests of a file that runs alone are top-level.
    const file = data.name.endsWith('.test.ts') ? data.name : String(data.file ?? '').replace(root, '');
    if (!file.endsWith('.test.ts')) continue;
    durations[file] = (durations[file] ?? 0) + data.details.duration_ms;
  }
  const rounded = Object.entries(durations).map(([file, ms]) => [file, Math.round(ms)]);
  yield `${JSON.stringify(Object.fromEntries(rounded.sort()), null, 2)}\n`;
}
