import { loessPoint, loessSmooth } from './loess.ts';

export interface Decomposition {
  readonly seasonal: Float64Array;
  readonly trend: Float64Array;
}

const PASSES = 2;

/**
 * Cleveland's seasonal-trend decomposition by loess, not robust, with the usual spans. Needs a complete series of more
 * than two seasons. `seasonalSpan` (odd) is how many seasons the smoother of the season looks at.
 */
export function decompose(x: Float64Array, season: number, seasonalSpan: number): Decomposition {
  const n = x.length;
  const trendSpan = nextOdd(Math.ceil((1.5 * season) / (1 - 1.5 / seasonalSpan)));
  const lowSpan = nextOdd(season);
  const seasonal = new Float64Array(n);
  const trend = new Float64Array(n);
  const work = new Float64Array(n);
  const cycles = new Float64Array(n + 2 * season);
  const low = new Float64Array(n + 2 * season);
  const other = new Float64Array(n + 2 * season);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let t = 0; t < n; t++) work[t] = (x[t] as number) - (trend[t] as number);
    smoothCycles(work, season, seasonalSpan, cycles);
    movingAverage(cycles, n + 2 * season, season, low);
    movingAverage(low, n + season + 1, season, other);
    movingAverage(other, n + 2, 3, low);
    loessSmooth(low, 0, n, lowSpan, 1, Math.ceil(lowSpan / 10), other, 0);
    for (let t = 0; t < n; t++) {
      seasonal[t] = (cycles[season + t] as number) - (other[t] as number);
      work[t] = (x[t] as number) - (seasonal[t] as number);
    }
    loessSmooth(work, 0, n, trendSpan, 1, Math.ceil(trendSpan / 10), trend, 0);
  }
  return { seasonal, trend };
}

/** Smooths all Januaries, all Februaries and so on, each one season beyond both ends. */
function smoothCycles(work: Float64Array, season: number, span: number, cycles: Float64Array): void {
  const n = work.length;
  const longest = Math.ceil(n / season);
  const one = new Float64Array(longest);
  const smooth = new Float64Array(longest);
  for (let j = 0; j < season; j++) {
    const count = Math.floor((n - 1 - j) / season) + 1;
    for (let i = 0; i < count; i++) one[i] = work[i * season + j] as number;
    loessSmooth(one, 0, count, span, 0, Math.ceil(span / 10), smooth, 0);
    for (let i = 0; i < count; i++) cycles[(i + 1) * season + j] = smooth[i] as number;
    const before = loessPoint(one, 0, count, span, 0, -1, 0, Math.min(span, count) - 1);
    cycles[j] = Number.isNaN(before) ? (smooth[0] as number) : before;
    const after = loessPoint(one, 0, count, span, 0, count, Math.max(0, count - span), count - 1);
    cycles[(count + 1) * season + j] = Number.isNaN(after) ? (smooth[count - 1] as number) : after;
  }
}

function movingAverage(x: Float64Array, n: number, length: number, out: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += x[i] as number;
  out[0] = sum / length;
  for (let i = length; i < n; i++) {
    sum += (x[i] as number) - (x[i - length] as number);
    out[i - length + 1] = sum / length;
  }
}

function nextOdd(value: number): number {
  const rounded = Math.round(value);
  return rounded % 2 === 0 ? rounded + 1 : rounded;
}
