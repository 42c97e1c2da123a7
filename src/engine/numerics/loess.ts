/**
 * Locally weighted regression of degree 0 or 1 on equally spaced values, with tricube weights. Fits at every `jump`th
 * point of 1..n and draws straight lines between. Reads `y[from .. from + n)`, writes `out[to .. to + n)`.
 */
export function loessSmooth(
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

/** The fit at position `x` (which may lie outside) from the points left..right; NaN where all weights vanish. */
export function loessPoint(
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
  let centre = 0;
  for (let j = left; j <= right; j++) {
    const weight = tricube(Math.abs(j - x), reach, inner, outer);
    total += weight;
    centre += weight * j;
  }
  if (!(total > 0)) return Number.NaN;
  centre /= total;
  let slope = 0;
  if (degree === 1 && reach > 0) {
    let spread = 0;
    for (let j = left; j <= right; j++) {
      spread += (tricube(Math.abs(j - x), reach, inner, outer) / total) * (j - centre) ** 2;
    }
    if (Math.sqrt(spread) > 0.001 * (n - 1)) slope = (x - centre) / spread;
  }
  let sum = 0;
  for (let j = left; j <= right; j++) {
    const weight = tricube(Math.abs(j - x), reach, inner, outer) / total;
    sum += weight * (1 + slope * (j - centre)) * (y[from + j] as number);
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
