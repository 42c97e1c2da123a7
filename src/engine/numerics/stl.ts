interface Decomposition {
  readonly seasonal: Float64Array;
  readonly trend: Float64Array;
}

const PASSES = 2;

/**
 * Decomposes a series by Cleveland's seasonal-trend decomposition (STL) without robustness iterations, with the usual
 * spans. The series must be complete and longer than two seasons.
 *
 * @param seasonalSpan the span of the seasonal smoother in seasons, an odd number
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

/**
 * Smooths the values of each position in the season (all Januaries, all Februaries, …), and extrapolates by one season
 * at both ends.
 */
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

/**
 * Smooths equally spaced values by locally weighted regression of degree 0 or 1 with tricube weights. Fits at every
 * `jump`th point of 1..n and interpolates linearly between these points. Reads `y[from .. from + n)`, writes `out[to ..
 * to + n)`.
 */
function loessSmooth(
  y: Float64Array,
  from: number,
  n: number,
  span: number,
  degree: 0 | 1,
  jump: number,
  out: Float64Array,
  to: number,
): void {
  if (n < 2) {
    if (n === 1) out[to] = y[from] as number;
    return;
  }
  const step = Math.max(1, Math.min(jump, n - 1));
  let left = 0;
  let right = Math.min(span, n) - 1;
  const half = (span + 1) >> 1;
  const fitAt = (i: number): number => {
    if (span >= n) {
      left = 0;
      right = n - 1;
    } else {
      left = Math.max(0, Math.min(n - span, i + 1 - half));
      right = left + span - 1;
    }
    const value = loessPoint(y, from, n, span, degree, i, left, right);
    return Number.isNaN(value) ? (y[from + i] as number) : value;
  };
  let last = 0;
  out[to] = fitAt(0);
  for (let i = step; i < n; i += step) {
    out[to + i] = fitAt(i);
    interpolate(out, to, last, i);
    last = i;
  }
  if (last !== n - 1) {
    out[to + n - 1] = fitAt(n - 1);
    interpolate(out, to, last, n - 1);
  }
}

/**
 * Returns the fit at position `x`, which may lie outside the series, from the points left..right. Returns NaN if all
 * weights vanish.
 */
function loessPoint(
  y: Float64Array,
  from: number,
  n: number,
  span: number,
  degree: 0 | 1,
  x: number,
  left: number,
  right: number,
): number {
  let reach = Math.max(x - left, right - x);
  if (span > n) reach += (span - n) >> 1;
  const outer = 0.999 * reach;
  const inner = 0.001 * reach;
  let total = 0;
  let center = 0;
  for (let j = left; j <= right; j++) {
    const weight = tricube(Math.abs(j - x), reach, inner, outer);
    total += weight;
    center += weight * j;
  }
  if (!(total > 0)) return Number.NaN;
  center /= total;
  let slope = 0;
  if (degree === 1 && reach > 0) {
    let spread = 0;
    for (let j = left; j <= right; j++) {
      spread += (tricube(Math.abs(j - x), reach, inner, outer) / total) * (j - center) ** 2;
    }
    if (Math.sqrt(spread) > 0.001 * (n - 1)) slope = (x - center) / spread;
  }
  let sum = 0;
  for (let j = left; j <= right; j++) {
    const weight = tricube(Math.abs(j - x), reach, inner, outer) / total;
    sum += weight * (1 + slope * (j - center)) * (y[from + j] as number);
  }
  return sum;
}

function tricube(distance: number, reach: number, inner: number, outer: number): number {
  if (distance > outer) return 0;
  if (distance <= inner) return 1;
  const ratio = distance / reach;
  const bell = 1 - ratio * ratio * ratio;
  return bell * bell * bell;
}

function interpolate(out: Float64Array, to: number, a: number, b: number): void {
  const start = out[to + a] as number;
  const slope = ((out[to + b] as number) - start) / (b - a);
  for (let i = a + 1; i < b; i++) out[to + i] = start + slope * (i - a);
}
