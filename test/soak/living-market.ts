import { findViolations } from '../support/forecasts/living-market/find-violations.ts';
import type { DatabaseKind } from '../support/platform/database.ts';
import type { Tally } from './kill-rounds.ts';

/**
 * Lives through a year of a market in which forecasts are made and their outcomes arrive, and fails unless every score
 * equals a second computation from the CSV files, and nothing was scored early, twice or from a row that was there.
 */
export async function runLivingMarket(
  kind: DatabaseKind,
  { forecasts, seed }: { readonly forecasts: number; readonly seed: number },
): Promise<Tally> {
  const { violations, ...found } = await findViolations({ kind, forecasts, seed });
  for (const violation of violations.slice(0, 50)) console.log(`living market on ${kind}: ${violation}`);
  const counts = `${found.rows} rows of which ${found.scored} are scored, ${found.revised} revised, ${found.rescaled} rescaled`;
  console.log(`living market on ${kind}: ${found.forecasts} forecasts, ${counts}, ${violations.length} violations`);
  return violations.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: violations.length };
}
