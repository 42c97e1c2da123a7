/** Power of the centred values at one frequency, given as the number of cycles over all values (Goertzel's recursion). */
export function powerAt(values: Float64Array, cycles: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * cycles) / values.length);
  let before = 0;
  let last = 0;
  for (let t = 0; t < values.length; t++) {
    const now = (values[t] as number) + coefficient * last - before;
    before = last;
    last = now;
  }
  return Math.max(0, last * last + before * before - coefficient * last * before);
}
