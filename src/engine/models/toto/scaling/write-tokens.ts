import type { PatchedRow, PatchStatistics } from './patch-statistics.ts';

/**
 * The first `count` patches of a row as the network reads them: values in units of what was known then, far ones drawn
 * in by asinh, and after them a 1 for each that was not observed.
 */
export function writeTokens(
  row: PatchedRow,
  statistics: PatchStatistics,
  patchSize: number,
  count: number,
): Float32Array {
  const tokens = new Float32Array(2 * patchSize * count);
  for (let patch = 0; patch < count; patch++) {
    const location = statistics.location[patch] as number;
    const scale = statistics.scale[patch] as number;
    const to = 2 * patchSize * patch;
    for (let i = 0; i < patchSize; i++) {
      const at = patch * patchSize + i;
      if (row.observed[at] === 1) tokens[to + i] = Math.asinh(((row.values[at] as number) - location) / scale);
      else tokens[to + patchSize + i] = 1;
    }
  }
  return tokens;
}
