import { createHash } from 'node:crypto';
import { Fault } from '../../../../contract/index.ts';
import { hidden, readField } from '../../forms.ts';
import type { Html } from '../../html.ts';
import type { ConsoleVisit } from '../visit.ts';
import { type ActionView, type Forecast, nameOf, readActionView } from './action-visit.ts';

/** The fields that a form shows: if one of them changed since, the form must be read again. */
type Shown = readonly (keyof Pick<Forecast, 'title' | 'visibility' | 'status'>)[];

/**
 * Renders what a form showed of a forecast. The ETag of the forecast would also change with its progress and with the
 * state of its receipt, which the visitor of the form does not care about.
 */
export function renderSeen(forecast: Forecast, shown: Shown): Html | null {
  return hidden('seen', digest(forecast, shown));
}

function digest(forecast: Forecast, shown: Shown): string {
  const values = shown.map((name) => forecast[name]);
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}

/** How often a change is tried if the progress of the forecast changes its version in between. */
const MAX_ATTEMPTS = 5;

/**
 * Makes a change on the version that was just read, if it is the one that the form showed.
 *
 * @returns null after the change; the forecast as it is now if what the form showed has changed
 */
export async function changeIfSeen(
  visit: ConsoleVisit,
  shown: Shown,
  change: (etag: string) => Promise<unknown>,
): Promise<ActionView | null> {
  for (let attempt = 1; ; attempt++) {
    const { data: forecast, etag } = await visit.visitor.callVersioned('readForecast', { params: nameOf(visit) });
    if (readField(visit.form, 'seen') !== digest(forecast, shown)) return readActionView(visit);
    try {
      await change(etag);
      return null;
    } catch (error) {
      const isStale = error instanceof Fault && error.code === 'PRECONDITION_FAILED';
      if (!isStale || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The refusal of a form that showed an earlier state. */
export const CHANGED = {
  status: 412,
  message: 'The forecast changed while this form was open. Nothing was done. This is how it is now; decide again.',
};
