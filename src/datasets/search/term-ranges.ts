/** Where `word` stands, or would stand, in a sorted list of terms. */
export function positionOf(terms: readonly string[], word: string): number {
  return firstPosition(terms, (term) => term >= word);
}

/** Where the terms that begin with `prefix` end. */
export function endOfPrefix(terms: readonly string[], prefix: string): number {
  return firstPosition(terms, (term) => term > prefix && !term.startsWith(prefix));
}

/** The first term from which on `isPast` holds. */
function firstPosition(terms: readonly string[], isPast: (term: string) => boolean): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(terms[middle] ?? '')) high = middle;
    else low = middle + 1;
  }
  return low;
}
