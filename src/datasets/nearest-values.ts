/** A value of a dimension. */
interface LabeledValue {
  readonly value: string;
  readonly label: string;
}

/**
 * Returns the values whose code or label is most similar to a wrong one, the most similar first. Equally similar ones
 * keep their order.
 */
export function nearestValues<Value extends LabeledValue>(
  values: readonly Value[],
  wrong: string,
  count: number,
): readonly Value[] {
  const pairs = letterPairs(wrong);
  return selectComparable(values, wrong)
    .map((value) => ({ value, score: Math.max(similarity(pairs, value.value), similarity(pairs, value.label)) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ value }) => value);
}

/** Comparing more values would hold the event loop for too long. */
const MAX_COMPARED = 5_000;

/** Returns all values, or of many only those that begin with the same letter. */
function selectComparable<Value extends LabeledValue>(values: readonly Value[], wrong: string): readonly Value[] {
  if (values.length <= MAX_COMPARED) return values;
  const first = wrong.slice(0, 1).toLowerCase();
  const begins = (text: string) => text.slice(0, 1).toLowerCase() === first;
  const similar = values.filter(({ value, label }) => begins(value) || begins(label));
  return (similar.length > 0 ? similar : values).slice(0, MAX_COMPARED);
}

/** Returns the share of pairs of neighboring letters that two texts have in common, from 0 to 1. */
function similarity(pairs: ReadonlySet<string>, text: string): number {
  const others = letterPairs(text);
  let common = 0;
  for (const pair of pairs) if (others.has(pair)) common++;
  return (2 * common) / (pairs.size + others.size);
}

/** The space at both ends makes equal beginnings and ends count. */
function letterPairs(text: string): ReadonlySet<string> {
  const letters = ` ${text.toLowerCase().slice(0, 200)} `;
  return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)));
}
