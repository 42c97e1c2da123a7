import { cleanLine } from '../../../../charts/index.ts';
import { name, type Operations, type Output } from '../../../../contract/index.ts';

type Description = Pick<Output<Operations['describeSeries']>, 'title' | 'dimensions'>;

const MAX_LENGTH = 200;
const TITLE = name({ max: MAX_LENGTH });

/**
 * Returns the title that the form suggests: that of the series, with the chosen dimensions in parentheses. Without it, a
 * list would show the id of the series.
 *
 * @returns an empty text if the provider's title cannot be the name of a forecast
 */
export function suggestTitle({ title, dimensions }: Description, source: object): string {
  const chosen = (source as { dimensions?: Readonly<Record<string, unknown>> }).dimensions ?? {};
  const labels = dimensions
    .filter(({ field }) => Object.hasOwn(chosen, field))
    .map(({ field, values }) => values?.find(({ value }) => value === chosen[field])?.label ?? String(chosen[field]));
  const choices = labels.length === 0 ? '' : ` (${cleanLine(labels.join(', '), MAX_LENGTH / 2)})`;
  const whole = `${cleanLine(title, MAX_LENGTH - choices.length)}${choices}`;
  return TITLE.safeParse(whole).data ?? '';
}
