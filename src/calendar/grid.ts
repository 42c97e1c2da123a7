import type { Cadence } from './cadence.ts';
import { currencyGrid } from './currency/currency-grid.ts';
import { sessionDayGrid, sessionHoursGrid } from './exchange/session-grids.ts';
import type { Frequency } from './frequencies.ts';
import { fixedStep, intradayStep } from './periods.ts';
import { plainGrid } from './plain-grid.ts';
import { DAY_MS } from './time-range.ts';
import type { Grid } from './timestamp-grid.ts';

/**
 * Returns the grid of a cadence: every timestamp that a row may have, in order.
 *
 * @example gridOf({ frequency: '1D', kind: 'exchange' }).next(Date.UTC(2024, 0, 5)) // Monday, 2024-01-08
 */
export function gridOf({ frequency, kind, hours }: Cadence): Grid {
  if (kind === 'plain') return plainGrid(frequency);
  if (kind === 'currency') return currencyGridOf(frequency);
  if (frequency === '1D') return sessionDayGrid;
  const step = intradayStep(frequency);
  return step === null || hours === undefined ? plainGrid(frequency) : sessionHoursGrid(step, hours);
}

function currencyGridOf(frequency: Frequency): Grid {
  const step = fixedStep(frequency);
  return step !== null && step <= DAY_MS ? currencyGrid(step) : plainGrid(frequency);
}
