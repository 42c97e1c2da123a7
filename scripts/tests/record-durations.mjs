// A reporter of Node's test runner that writes how long each test file took, as JSON.

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* recordDurations(source) {
  /** @type {Record<string, number>} */
  const durations = {};
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0) continue;
    // In a group, a file is a suite with the name of the file.
    if (data.name.endsWith('.test.ts')) durations[data.name] = data.details.duration_ms;
  }
  const rounded = Object.entries(durations).map(([file, ms]) => [file, Math.round(ms)]);
  yield `${JSON.stringify(Object.fromEntries(rounded.sort()), null, 2)}\n`;
}
