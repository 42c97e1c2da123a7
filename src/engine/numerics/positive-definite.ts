/**
 * Solves A x = b for a positive definite A (k by k, row by row). Overwrites A with its Cholesky factor and b with x;
 * false, with both spoilt, where A is not positive definite.
 */
export function solvePositiveDefinite(a: Float64Array, b: Float64Array, k: number): boolean {
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * k + j] as number;
      for (let l = 0; l < j; l++) sum -= (a[i * k + l] as number) * (a[j * k + l] as number);
      if (i === j) {
        if (!(sum > 0)) return false;
        a[i * k + i] = Math.sqrt(sum);
      } else {
        a[i * k + j] = sum / (a[j * k + j] as number);
      }
    }
  }
  for (let i = 0; i < k; i++) {
    let sum = b[i] as number;
    for (let l = 0; l < i; l++) sum -= (a[i * k + l] as number) * (b[l] as number);
    b[i] = sum / (a[i * k + i] as number);
  }
  for (let i = k - 1; i >= 0; i--) {
    let sum = b[i] as number;
    for (let l = i + 1; l < k; l++) sum -= (a[l * k + i] as number) * (b[l] as number);
    b[i] = sum / (a[i * k + i] as number);
  }
  return true;
}
