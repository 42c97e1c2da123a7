import type { Cadence, Frequency } from '../../calendar/index.ts';

/** Seasons of a frequency by clock and calendar, in periods. */
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

/**
 * Seasons of exchange bars: a week and a year of sessions, and the bars of one full session where their number is
 * fixed.
 */
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
 * Returns the seasons to test for; none for yearly data.
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

/** Monthly and quarterly data nearly always have a yearly season, if only a faint one. */
const DEFAULT_SEASONS: Readonly<Partial<Record<Frequency, number>>> = { '1MS': 12, '1ME': 12, '1QE': 4 };

/**
 * Returns the season that models may use where the evidence for one was too weak: models have tests of their own, and a
 * pool gains from member models that use a faint season. 1 where no season is usual.
 */
export function defaultSeason({ frequency }: Cadence): number {
  return DEFAULT_SEASONS[frequency] ?? 1;
}
