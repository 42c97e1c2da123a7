import { HALF_YEARLY } from '../parse-period.ts';
import type { StatedFrequency } from '../provider.ts';

/** The id of the provider. */
export const ECB = 'ecb';

const FREQUENCIES: Readonly<Record<string, StatedFrequency>> = {
  A: { frequency: '1YE' },
  S: HALF_YEARLY,
  // The ECB's own code before 2009, which older series still have. In other code lists of SDMX it means hourly.
  H: HALF_YEARLY,
  Q: { frequency: '1QE' },
  M: { frequency: '1ME' },
  W: { frequency: '1W-MON' },
  D: { frequency: '1D' },
  // Business days.
  B: { frequency: '1D' },
  N: { unsupported: 'minutely' },
};

/** Returns the frequency that a code of CL_FREQ means. */
export function frequencyOf(code: string): StatedFrequency {
  return entryOf(FREQUENCIES, code) ?? { unsupported: 'irregular' };
}

/** The status of a normal value, which is not a flag. */
export const NORMAL_STATUS = 'A';

const STATUSES: Readonly<Record<string, string>> = {
  B: 'Time series break',
  D: 'Definition differs',
  E: 'Estimated value',
  F: 'Forecast value',
  G: 'Experimental value',
  H: 'Missing value; holiday or weekend',
  I: 'Imputed value',
  J: 'Derogation',
  L: 'Missing value; data exist but were not collected',
  M: 'Missing value; data cannot exist',
  N: 'Not significant',
  O: 'Missing value',
  P: 'Provisional value',
  Q: 'Missing value; suppressed',
  S: 'Strike and any special events',
  U: 'Low reliability',
  V: 'Unvalidated value',
};

/** Returns what a code of CL_OBS_STATUS means; undefined if it is not known. */
export function statusLabel(code: string): string | undefined {
  return entryOf(STATUSES, code);
}

/** The codes of CL_UNIT whose meaning is not clear from the code. Most others are currencies. */
const UNITS: Readonly<Record<string, string>> = {
  DAYS: 'Days',
  HOURS: 'Hours',
  IX: 'Index',
  KILO: 'Kilograms',
  MONTHS: 'Months',
  NATCUR: 'National currency',
  OUNCES: 'Ounces',
  PC: 'Percent',
  PCCH: 'Percentage change',
  PCPA: 'Percent per annum',
  PERS: 'Persons',
  PM: 'Per thousand',
  POINTS: 'Points',
  PURE_NUMB: 'Pure number',
  RO: 'Ratio',
  SQ_M: 'Square meters',
  TONNES: 'Tonnes',
  UNITS: 'Unit described in title',
  YEARS: 'Years',
};

/** Returns the name of a unit, or its code if the name is not known. */
export function unitLabel(code: string): string {
  return entryOf(UNITS, code) ?? code;
}

const ADJUSTMENTS: Readonly<Record<string, string>> = {
  N: 'Neither seasonally nor working day adjusted',
  S: 'Seasonally adjusted, not working day adjusted',
  W: 'Working day adjusted, not seasonally adjusted',
  Y: 'Working day and seasonally adjusted',
};

/** The dimensions that state the seasonal adjustment. */
export const ADJUSTMENT_DIMENSIONS = ['ADJUSTMENT', 'SEASONAL_ADJUST'] as const;

/** Returns what a code of CL_ADJUSTMENT means; null if it is not known. */
export function adjustmentLabel(code: string): string | null {
  return entryOf(ADJUSTMENTS, code) ?? null;
}

function entryOf<Value>(table: Readonly<Record<string, Value>>, code: string): Value | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
