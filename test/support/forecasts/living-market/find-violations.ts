import { checkOutcomes } from './check-outcomes.ts';
import { checkTrackRecord } from './check-track-record.ts';
import { liveYear, type YearOptions } from './live-year.ts';

export interface YearReport {
  readonly forecasts: number;
  readonly rows: number;
  readonly scored: number;
  readonly revised: number;
  readonly rescaled: number;
  /** What is wrong; empty if the service did everything right. */
  readonly violations: readonly string[];
}

/**
 * Lives through a year of the market and checks everything afterwards: nothing is scored early, twice or from a row that
 * was already there, no row is missing or has another value than the market, and every figure equals a second
 * computation from the CSV files.
 *
 * @param selections how many queries of the track record are checked. Default: all.
 */
export function findViolations(options: YearOptions & { readonly selections?: number }): Promise<YearReport> {
  return liveYear(options, async (year) => {
    const violations = [...year.violations];
    const finals = await checkOutcomes(year, violations);
    for (const forecaster of year.forecasters) {
      await checkTrackRecord(forecaster, finals, violations, options.selections);
    }
    const count = (isCounted: (final: (typeof finals)[number]) => boolean) => finals.filter(isCounted).length;
    return {
      forecasts: finals.length,
      rows: finals.reduce((sum, { rows }) => sum + rows.length, 0),
      scored: finals.reduce((sum, { scored }) => sum + scored, 0),
      revised: count(({ outcome }) => outcome.revised),
      rescaled: count(({ outcome }) => outcome.scale !== null),
      violations,
    };
  });
}
