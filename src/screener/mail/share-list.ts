/**
 * Matches that one mail lists, of all its filters; how many more there are is said. Mailboxes cut a mail of more than
 * 102 KB, and what they hide is the end, with the link that ends the mails.
 */
const LISTED = 100;
/** Of one filter, whatever the others have. As many as an account may have filters, this is no more than all. */
const MIN_LISTED = 10;
export const MAX_LISTED = 50;

/**
 * How many matches of each filter a mail lists: as evenly as can be, and what one does not need goes to the others.
 *
 * @example shareList([500, 3, 500]) // [49, 3, 48]
 */
export function shareList(totals: readonly number[]): number[] {
  const wanted = totals.map((total) => Math.min(total, MAX_LISTED));
  const shares = wanted.map((most) => Math.min(most, MIN_LISTED));
  let left = LISTED - shares.reduce((sum, share) => sum + share, 0);
  while (left > 0) {
    const [next] = shares
      .map((share, place) => ({ share, place }))
      .filter(({ share, place }) => share < (wanted[place] ?? 0))
      .sort((a, b) => a.share - b.share);
    if (next === undefined) break;
    shares[next.place] = next.share + 1;
    left--;
  }
  return shares;
}
