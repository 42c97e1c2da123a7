/**
 * The chance that a harmonic stands out from its neighbours as much as this one does, if there is no season.
 *
 * @param ratio its power over the neighbours' mean
 * @param isNyquist whether it is at the highest frequency there is: there is a cosine only, one degree of freedom for two
 */
export function harmonicChance(ratio: number, neighbours: number, isNyquist: boolean): number {
  return isNyquist ? chanceOfOneToMany(ratio, 2 * neighbours) : (1 + ratio / neighbours) ** -neighbours;
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
