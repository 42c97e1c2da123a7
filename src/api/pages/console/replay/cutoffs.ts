import { barEnd, DAY_MS, daysBefore, isFrequency } from '../../../../calendar/index.ts';
import { cadenceOf, describeKnownRows, type KnownRows } from '../../forecast/known-rows.ts';
import { formatInteger } from '../../format.ts';
import { toCutoff } from '../new/choices.ts';
import type { Forecast } from './replay-request.ts';

/** The cutoffs that every page suggests, in days before the last row. */
export const SUGGESTED_DAYS = [120, 180] as const;

/** How the page reads and writes the cutoffs of one forecast. */
export interface Cutoffs {
  /** Returns the instant of a typed cutoff, or a sentence that states why it cannot be used. */
  read(text: string): { readonly cutoff: string } | { readonly error: string };
  /** The suggested cutoffs in days: those above and, if they are too few, the first after which every step came. */
  readonly suggested: readonly number[];
  /** Returns which rows a cutoff lets a forecast know. */
  describe(cutoff: string): KnownRows;
  /** The end of the last row. */
  readonly end: number;
  /** Returns how many days a cutoff is before the last row. */
  countDays(cutoff: string): number;
}

const MAX_DAYS = 36_500;
const RULE = 'Enter a number of days, such as 120, or a day, such as 2024-01-31.';

/** @param last the timestamp of the last row that the original forecast was made from */
export function cutoffsOf(
  { settings, predictions }: Pick<Forecast, 'settings' | 'predictions'>,
  last: number,
): Cutoffs {
  const { frequency } = settings;
  if (!isFrequency(frequency)) throw new Error(`The forecast has the unknown frequency ${frequency}.`);
  const cadence = cadenceOf(settings);
  const end = barEnd(cadence, last);
  const describe = (cutoff: string): KnownRows => describeKnownRows(cutoff, cadence);
  const lastStep = Date.parse(predictions.at(-1)?.timestamp ?? '');
  const whole = Number.isNaN(lastStep) ? 0 : Math.ceil((barEnd(cadence, lastStep) - end) / DAY_MS);
  return {
    suggested: whole > Math.max(...SUGGESTED_DAYS) ? [...SUGGESTED_DAYS, whole] : SUGGESTED_DAYS,
    describe,
    end,
    countDays: (cutoff) => Math.round((end - Date.parse(cutoff)) / DAY_MS),
    read(text) {
      const typed = toCutoff(text.trim());
      if (typeof typed === 'number') {
        if (!Number.isInteger(typed) || typed < 1 || typed > MAX_DAYS)
          return { error: `Cutoff must be a whole number of days from 1 to ${formatInteger(MAX_DAYS)}. ${RULE}` };
        return { cutoff: new Date(daysBefore(cadence, last, typed)).toISOString() };
      }
      const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(typed) ? Date.parse(typed) : Number.NaN;
      if (Number.isNaN(time)) return { error: `Cutoff is not a day. ${RULE}` };
      if (time >= end)
        return {
          error: `Cutoff must be before the last row of this forecast, ${describe(new Date(end).toISOString()).when}.`,
        };
      return { cutoff: new Date(time).toISOString() };
    },
  };
}
