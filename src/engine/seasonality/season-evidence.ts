import { fitBackground, type Neighbourhood } from './background.ts';
import { combineChances } from './combine-chances.ts';
import { harmonicChance } from './harmonic-chance.ts';

const MAX_HARMONICS = 6;
/** Enough rounds to be sure of any season, and few enough that 50,000 values cost no more than 5,000. */
const MAX_VALUES = 6000;
/** How many frequencies on each side of a harmonic are its neighbours: the next harmonic, but so many at least and most. */
const NEAREST = 6;
const FARTHEST = 40;

/**
 * How surely the changes repeat after `season` periods: minus the logarithm (base 10) of the chance that they do not.
 * Each harmonic of the season is compared with the frequencies around it, so a walk or a trend raises no alarm.
 *
 * @param changes as many as there are values, the first closing the circle
 * @param inside a shorter season found already that divides this one: its harmonics are no evidence for the longer
 */
export function seasonEvidence(changes: Float64Array, season: number, inside: number): number {
  const rounds = Math.min(Math.floor(changes.length / season), Math.max(2, Math.floor(MAX_VALUES / season)));
  if (rounds < 2) return 0;
  const recent = changes.slice(changes.length - rounds * season);
  const mean = recent.reduce((sum, change) => sum + change, 0) / recent.length;
  const centred = recent.map((change) => change - mean);
  const nyquist = centred.length / 2;
  const lines = harmonicsOf(season, inside)
    .map((harmonic) => rounds * harmonic)
    .map((centre) => ({ centre, around: neighbourhood(centre, rounds, nyquist) }))
    .filter(({ around }) => countNeighbours(around, rounds) > 0);
  const background = fitBackground(
    centred,
    rounds,
    lines.map(({ around }) => around),
  );
  const chances = lines.map(({ centre, around }) => {
    const ratio = background.flatPower(centre) / Math.max(background.mean(around), Number.MIN_VALUE);
    return harmonicChance(ratio, countNeighbours(around, rounds), centre === nyquist);
  });
  let covariances = 0;
  for (const [i, a] of lines.entries()) {
    for (const b of lines.slice(0, i)) covariances += covariance(a.around, b.around, rounds);
  }
  return combineChances(chances, covariances);
}

function harmonicsOf(season: number, inside: number): number[] {
  const skip = inside > 1 && season % inside === 0 ? season / inside : Number.POSITIVE_INFINITY;
  const harmonics: number[] = [];
  for (let harmonic = 1; harmonic <= Math.floor(season / 2) && harmonics.length < MAX_HARMONICS; harmonic++) {
    if (harmonic % skip !== 0) harmonics.push(harmonic);
  }
  return harmonics;
}

function neighbourhood(centre: number, rounds: number, nyquist: number): Neighbourhood {
  const reach = Math.min(Math.max(rounds, NEAREST), FARTHEST);
  return { from: Math.max(1, centre - reach), to: Math.min(centre + reach, Math.ceil(nyquist) - 1) };
}

/** Frequencies of a neighbourhood that are no harmonics. */
function countNeighbours({ from, to }: Neighbourhood, rounds: number): number {
  if (to < from) return 0;
  return to - from + 1 - (Math.floor(to / rounds) - Math.floor((from - 1) / rounds));
}

/** Of the logarithms of two chances that share neighbours: close to 1 / (m + 1/2) where they share all m of them. */
function covariance(a: Neighbourhood, b: Neighbourhood, rounds: number): number {
  const shared = countNeighbours({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }, rounds);
  return shared / (countNeighbours(a, rounds) * countNeighbours(b, rounds) + shared / 2);
}
