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

/**
 * The probability that a harmonic stands out from its neighbours as much as this one does, if there is no season. It is
 * compared with the frequencies around it only, so a walk (all power at low frequencies) raises no alarm.
 *
 * @param rounds number of seasons in the values, which is how many cycles the season itself makes
 */
export function harmonicChance(values: Float64Array, rounds: number, harmonic: number): number {
  const centre = rounds * harmonic;
  const nyquist = values.length / 2;
  const reach = Math.max(rounds, 6);
  let background = 0;
  let neighbours = 0;
  for (let cycles = Math.max(1, centre - reach); cycles <= Math.min(centre + reach, Math.ceil(nyquist) - 1); cycles++) {
    if (cycles % rounds === 0) continue;
    background += powerAt(values, cycles);
    neighbours++;
  }
  if (neighbours === 0) return 1;
  const ratio = powerAt(values, centre) / Math.max(background / neighbours, Number.MIN_VALUE);
  // At the Nyquist frequency there is a cosine only: one degree of freedom instead of two.
  return centre === nyquist ? chanceOfOneToMany(ratio, 2 * neighbours) : (1 + ratio / neighbours) ** -neighbours;
}

/** Upper tail of F(1, freedom), by the normal approximation to Student's t. */
function chanceOfOneToMany(ratio: number, freedom: number): number {
  const z = (Math.sqrt(ratio) * (1 - 1 / (4 * freedom))) / Math.sqrt(1 + ratio / (2 * freedom));
  return Math.min(1, 2 * normalTail(z));
}

/** Zelen and Severo's approximation, to 1e-5. */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.33267 * z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return density * t * (0.4361836 + t * (-0.1201676 + t * 0.937298));
}
