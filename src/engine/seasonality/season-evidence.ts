import { fitBackground, type Neighborhood } from './background.ts';
import { combinePValues, harmonicPValue } from './p-values.ts';

const MAX_HARMONICS = 6;
/**
 * Enough values to detect any season. Longer series are shortened, so that 50,000 values cost no more time than 6,000.
 */
const MAX_VALUES = 6000;
/**
 * The bounds on how many frequencies on each side of a harmonic are its neighbors. Within them, neighbors reach up to
 * the next harmonic.
 */
const MIN_REACH = 6;
const MAX_REACH = 40;

/**
 * Returns the evidence that the changes repeat after `season` periods: minus the decimal logarithm of the p-value. Each
 * harmonic of the season is compared with the frequencies around it, so that a random walk or a trend is rarely
 * mistaken for a season.
 *
 * @param changes one per value; the first change leads from the last value to the first value
 * @param shorterSeason a season that was found before. If it divides this season, its harmonics do not count
 */
export function seasonEvidence(changes: Float64Array, season: number, shorterSeason: number): number {
  const seasonCount = Math.min(Math.floor(changes.length / season), Math.max(2, Math.floor(MAX_VALUES / season)));
  if (seasonCount < 2) return 0;
  const recent = changes.slice(changes.length - seasonCount * season);
  const mean = recent.reduce((sum, change) => sum + change, 0) / recent.length;
  const centered = recent.map((change) => change - mean);
  const nyquist = centered.length / 2;
  const lines = harmonicsOf(season, shorterSeason)
    .map((harmonic) => seasonCount * harmonic)
    .map((center) => ({ center, around: neighborhood(center, seasonCount, nyquist) }))
    .filter(({ around }) => countNeighbors(around, seasonCount) > 0);
  const background = fitBackground(
    centered,
    seasonCount,
    lines.map(({ around }) => around),
  );
  const pValues = lines.map(({ center, around }) => {
    const ratio = background.flatPower(center) / Math.max(background.mean(around), Number.MIN_VALUE);
    return harmonicPValue(ratio, countNeighbors(around, seasonCount), center === nyquist);
  });
  let covariances = 0;
  for (const [i, a] of lines.entries()) {
    for (const b of lines.slice(0, i)) covariances += covariance(a.around, b.around, seasonCount);
  }
  return combinePValues(pValues, covariances);
}

function harmonicsOf(season: number, shorterSeason: number): number[] {
  const skip = shorterSeason > 1 && season % shorterSeason === 0 ? season / shorterSeason : Number.POSITIVE_INFINITY;
  const harmonics: number[] = [];
  for (let harmonic = 1; harmonic <= Math.floor(season / 2) && harmonics.length < MAX_HARMONICS; harmonic++) {
    if (harmonic % skip !== 0) harmonics.push(harmonic);
  }
  return harmonics;
}

function neighborhood(center: number, seasonCount: number, nyquist: number): Neighborhood {
  const reach = Math.min(Math.max(seasonCount, MIN_REACH), MAX_REACH);
  return { from: Math.max(1, center - reach), to: Math.min(center + reach, Math.ceil(nyquist) - 1) };
}

/** Counts the frequencies of a neighborhood that are not harmonics. */
function countNeighbors({ from, to }: Neighborhood, seasonCount: number): number {
  if (to < from) return 0;
  return to - from + 1 - (Math.floor(to / seasonCount) - Math.floor((from - 1) / seasonCount));
}

/**
 * Returns the covariance of the logarithms of two p-values whose harmonics share neighbors: about 1 / (m + 1/2) if they
 * share all m neighbors.
 */
function covariance(a: Neighborhood, b: Neighborhood, seasonCount: number): number {
  const shared = countNeighbors({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }, seasonCount);
  return shared / (countNeighbors(a, seasonCount) * countNeighbors(b, seasonCount) + shared / 2);
}
