import type { Cadence, Frequency } from '../../calendar/index.ts';

/** Seasons that the clock and the calendar give a frequency, in periods. */
const BY_CLOCK: Readonly<Record<Frequency, readonly number[]>> = {
  '1min': [60, 1440],
  '5min': [12, 288],
  '15min': [4, 96, 672],
  '30min': [48, 336],
  '1h': [24, 168],
  '4h': [6, 42],
  '1D': [7, 365],
  '1W-MON': [52],
  '1MS': [12],
  '1ME': [12],
  '1QE': [4],
  '1YE': [],
};

/** Bars of an exchange: a year and a week of sessions, and the bars of one full session where it always has as many. */
const BY_SESSION: Readonly<Partial<Record<Frequency, Readonly<Record<'regular' | 'extended', readonly number[]>>>>> = {
  '1min': { regular: [390], extended: [960] },
  '5min': { regular: [78], extended: [192] },
  '15min': { regular: [26], extended: [64] },
  '30min': { regular: [13], extended: [32] },
  '1h': { regular: [7], extended: [16] },
  '4h': { regular: [], extended: [] },
  '1D': { regular: [5, 252], extended: [5, 252] },
};

/**
 * The seasons worth looking for; none for years.
 *
 * @example seasonCandidates({ frequency: '1D', kind: 'exchange' }) // [5, 252]
 */
export function seasonCandidates(of: Frequency | Cadence): readonly number[] {
  if (typeof of === 'string') return BY_CLOCK[of];
  const { frequency, kind, hours } = of;
  const sessions =
    kind === 'exchange' && (hours !== undefined || frequency === '1D') ? BY_SESSION[frequency] : undefined;
  return sessions?.[hours ?? 'regular'] ?? BY_CLOCK[frequency];
}

/** Months and quarters nearly always have a year in them, if only a faint one. */
const USUAL: Readonly<Partial<Record<Frequency, number>>> = { '1MS': 12, '1ME': 12, '1QE': 4 };

/**
 * The season that models should be given to try where the evidence for one was not enough: they have tests of their own,
 * and a pool gains from members that saw a faint season. 1 where none is usual.
 */
export function usualSeason({ frequency }: Cadence): number {
  return USUAL[frequency] ?? 1;
}
