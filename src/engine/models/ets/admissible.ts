import type { Smoothing } from './recursion.ts';

/**
 * Whether a seasonal form forgets its initial states, so that old data lose their weight: all roots of its discount
 * polynomial lie inside the unit circle (Hyndman, Koehler, Ord and Snyder 2008, section 10.2). With a trend the usual
 * region does not guarantee it. Roots are not computed: the polynomial is stepped down (Schur and Cohn), which is exact
 * and cheap.
 */
export function isAdmissible({ alpha, beta, gamma, phi }: Smoothing, period: number): boolean {
  const inner = alpha + beta - alpha * phi;
  // Coefficients of z^(m+1), z^m, ..., z, 1.
  let a = new Float64Array(period + 2).fill(inner);
  a[0] = 1;
  a[1] = alpha + beta - phi;
  a[period] = inner + gamma - 1;
  a[period + 1] = phi * (1 - alpha - gamma);
  for (let degree = period + 1; degree > 0; degree--) {
    const last = a[degree] as number;
    if (!(Math.abs(last) < 1)) return false;
    const next = new Float64Array(degree);
    for (let i = 0; i < degree; i++)
      next[i] = ((a[i] as number) - last * (a[degree - i] as number)) / (1 - last * last);
    a = next;
  }
  return true;
}
