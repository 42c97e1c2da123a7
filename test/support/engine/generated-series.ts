import { drawNormal } from '../../../src/engine/numerics/distributions.ts';
import { createRandom, type Random } from '../../../src/engine/numerics/random.ts';

/** Kinds of generated series whose season is known, to measure detection. */
export type Kind = 'noise' | 'walk' | 'autoregression' | 'trend' | 'seasonal' | 'seasonal_walk' | 'seasonal_growth';

export const WITHOUT_SEASON: readonly Kind[] = ['noise', 'walk', 'autoregression', 'trend'];
export const WITH_SEASON: readonly Kind[] = ['seasonal', 'seasonal_walk', 'seasonal_growth'];

/**
 * Generates a series; the same seed gives the same series.
 *
 * @param rounds how often the season occurs
 * @param strength standard deviation of the season divided by that of the noise (in a walk: by half of that of a step)
 */
export function generateSeries(kind: Kind, season: number, rounds: number, seed: number, strength = 2): Float64Array {
  const random = createRandom(seed);
  const n = Math.round(season * rounds);
  const pattern = smoothPattern(season, random);
  const values = new Float64Array(n);
  let state = 0;
  for (let t = 0; t < n; t++) {
    const noise = drawNormal(random);
    const seasonal = strength * (pattern[t % season] as number);
    if (kind === 'walk') state += noise;
    if (kind === 'seasonal_walk') state += 0.5 * noise;
    if (kind === 'autoregression') state = 0.7 * state + noise;
    values[t] = valueAt(kind, t / n, state, seasonal, noise);
  }
  // One value in twenty is missing and one in a hundred is an outlier, as in real data.
  for (let t = 1; t < n - 1; t++) {
    const draw = random.uniform();
    if (draw < 0.05) values[t] = Number.NaN;
    else if (draw < 0.06) values[t] = (values[t] as number) * (1 + 4 * random.uniform());
  }
  return values;
}

function valueAt(kind: Kind, age: number, state: number, seasonal: number, noise: number): number {
  switch (kind) {
    case 'noise':
      return noise;
    case 'walk':
    case 'autoregression':
      return state;
    case 'trend':
      return 20 * age + noise;
    case 'seasonal':
      return 10 * age + seasonal + noise;
    case 'seasonal_walk':
      return state + seasonal;
    case 'seasonal_growth':
      return Math.exp(1 + 2 * age + 0.2 * seasonal + 0.2 * noise);
  }
}

/** Returns a pattern of up to three harmonics with unit variance. */
function smoothPattern(season: number, random: Random): Float64Array {
  const pattern = new Float64Array(season);
  const harmonics = Math.max(1, Math.min(3, Math.floor(season / 2)));
  for (let k = 1; k <= harmonics; k++) {
    const weight = drawNormal(random) / k;
    const phase = 2 * Math.PI * random.uniform();
    for (let t = 0; t < season; t++)
      pattern[t] = (pattern[t] as number) + weight * Math.sin((2 * Math.PI * k * t) / season + phase);
  }
  const size = Math.sqrt(pattern.reduce((sum, value) => sum + value * value, 0) / season) || 1;
  return pattern.map((value) => value / size);
}
