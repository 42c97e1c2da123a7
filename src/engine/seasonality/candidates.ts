import type { Cadence, Frequency } from '../../calendar/index.ts';

/** The seasons that clock and calendar give each frequency, in periods. */
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
 * Seasons of exchange bars, in bars: a week and a year of sessions, and one full session if its number of bars is
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
 * Seasons of currency bars, in bars: days and weeks of trading hours. The bars of four hours have no day, because a week
 * has 31 of them: the first and the last one are longer than the trading hours that they hold.
 */
const BY_TRADING_WEEK: Readonly<Partial<Record<Frequency, readonly number[]>>> = {
  '1min': [60, 1440],
  '5min': [12, 288],
  '15min': [4, 96, 480],
  '30min': [48, 240],
  '1h': [24, 120],
  '4h': [31],
  '1D': [6, 313],
};

/**
 * Returns the seasons to test for; an empty list for yearly data.
 *
 * @example seasonCandidates({ frequency: '1D', kind: 'exchange' }) // [5, 252]
 */
export function seasonCandidates(of: Frequency | Cadence): readonly number[] {
  if (typeof of === 'string') return BY_CLOCK[of];
  const { frequency, kind, hours } = of;
  if (kind === 'currency') return BY_TRADING_WEEK[frequency] ?? BY_CLOCK[frequency];
  const sessions =
    kind === 'exchange' && (hours !== undefined || frequency === '1D') ? BY_SESSION[frequency] : undefined;
  return sessions?.[hours ?? 'regular'] ?? BY_CLOCK[frequency];
}

/** Nearly all monthly and quarterly series have at least a faint yearly season. */
const DEFAULT_SEASONS: Readonly<Partial<Record<Frequency, number>>> = { '1MS': 12, '1ME': 12, '1QE': 4 };

/**
 * Returns the season that models may use although the evidence for it was too weak; 1 if series of this cadence usually
 * have none. Models have their own tests for a season, and a pool gains from member models that use a faint season.
 */
function defaultSeason({ frequency }: Cadence): number {
  return DEFAULT_SEASONS[frequency] ?? 1;
}

/** Returns the season that models may use. @param detected the detected season; 1 if none was detected */
export function modelSeason(detected: number, cadence: Cadence): number {
  return detected > 1 ? detected : defaultSeason(cadence);
}
