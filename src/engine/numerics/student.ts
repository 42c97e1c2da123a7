import { normalQuantile } from './normal.ts';

/**
 * The quantile function of Student's t distribution with `freedom` >= 1 degrees: exact for 1 and 2, otherwise Hill's
 * algorithm 396 (relative error below 1e-3 at 3 degrees and falling fast). Wider than the normal where few data tell the
 * variance.
 */
export function studentQuantile(p: number, freedom: number): number {
  if (p === 0.5) return 0;
  if (p <= 0 || p >= 1 || freedom > 1e6) return normalQuantile(p);
  const sign = p < 0.5 ? -1 : 1;
  const tail = 2 * Math.min(p, 1 - p);
  const n = Math.max(1, freedom);
  if (n === 1) return sign / Math.tan((tail * Math.PI) / 2);
  if (n === 2) return sign * Math.sqrt(2 / (tail * (2 - tail)) - 2);
  const a = 1 / (n - 0.5);
  const b = 48 / (a * a);
  let c = ((20700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n;
  let y = (d * tail) ** (2 / n);
  if (y > 0.05 + a) {
    const x = normalQuantile(tail / 2);
    y = x * x;
    if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6);
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = Math.expm1(a * y * y);
  } else {
    y =
      ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * ((n + 1) / (n + 2)) +
      1 / y;
  }
  return sign * Math.sqrt(n * y);
}
