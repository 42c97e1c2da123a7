/** How improbable a count must be before an interval is called too narrow or too wide. */
const SIGNIFICANCE = 0.025;

/**
 * Judges how often an interval held. The counts of a correct interval are binomial if rows are independent; rows of one
 * forecast are not, so that only clear cases are named.
 *
 * @returns null if the count is plausible for a correct interval
 */
export function judgeCoverage(inside: number, count: number, share: number): 'narrow' | 'wide' | null {
  if (atMost(inside, count, share) < SIGNIFICANCE) return 'narrow';
  return 1 - atMost(inside - 1, count, share) < SIGNIFICANCE ? 'wide' : null;
}

/** Returns the probability of at most `inside` successes in `count` independent tries. */
function atMost(inside: number, count: number, share: number): number {
  let [sum, term] = [0, (1 - share) ** count];
  for (let i = 0; i <= inside; i++) {
    sum += term;
    term *= ((count - i) / (i + 1)) * (share / (1 - share));
  }
  return Math.min(1, sum);
}
