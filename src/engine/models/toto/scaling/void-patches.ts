/** For each patch a 1 where nothing was observed in it. */
export function emptyPatches(observed: Uint8Array, patchSize: number): Uint8Array {
  return Uint8Array.from({ length: observed.length / patchSize }, (_, patch) =>
    observed.subarray(patch * patchSize, (patch + 1) * patchSize).includes(1) ? 0 : 1,
  );
}

/** The same, but for those after the last observation. */
export function emptyPatchesInside(observed: Uint8Array, patchSize: number): Uint8Array {
  const empty = emptyPatches(observed, patchSize);
  return empty.fill(0, empty.lastIndexOf(0) + 1);
}
