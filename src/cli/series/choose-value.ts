import type { PublicReference } from '../../contract/index.ts';
import type { Description } from './bundled.ts';

/**
 * Returns a series with one of its values chosen. An economic series with several values has none that is usual, so the
 * first one is taken and stated.
 */
export function chooseValue(
  { values: [first, ...others] }: Pick<Description, 'values'>,
  source: PublicReference,
  note: (line: string) => void,
): PublicReference {
  if (source.type !== 'economic_series' || source.value_field !== undefined || first === undefined) return source;
  if (others.length === 0) return source;
  const names = others.map(({ field }) => field).join(', ');
  note(`Reading the values ${first.field}; the series also has ${names} (--value).`);
  return { ...source, value_field: first.field };
}
