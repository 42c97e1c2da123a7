import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { TrackRecord } from '../../contract/index.ts';
import type { ForecastContext } from '../context.ts';
import { isCollectedType } from '../outcomes/outcome-times.ts';
import { ENSEMBLE } from '../outcomes/score-outcome.ts';
import { MAX_RELATIVE_LOSS, MIN_RELATIVE_LOSS, RecordTotal } from './add-up.ts';
import { SOURCE_TYPE, selectOutcomes, type TrackRecordCriteria } from './select-outcomes.ts';

/** Accompanies every track record. */
const DEFINITION = [
  'Scores of forecasts whose outcome is complete, without rows that existed when the forecast was made and without',
  'reproductions. relative_wql is the quantile loss of a forecast divided by that of the seasonal naive forecast from',
  `the same origin, on the same rows and quantiles, clamped to ${MIN_RELATIVE_LOSS} and ${MAX_RELATIVE_LOSS}; the`,
  'geometric mean over forecasts, lower is better. Intervals of shares are Wilson’s with 95%, as if rows were',
  'independent.',
].join(' ');

/** The number of outcomes that are read together. Their scores can take a few megabytes. */
const BATCH = 250;

/** Adds up the scores of the selected outcomes among those of the forecasts that the caller may read. */
export async function readTrackRecord(
  context: ForecastContext,
  principal: Account,
  criteria: TrackRecordCriteria,
): Promise<z.input<typeof TrackRecord>> {
  const { ids, truncated, startQuery } = await selectOutcomes(context, principal, criteria);
  const totals = new Map<string, RecordTotal>([[ENSEMBLE, new RecordTotal()]]);
  const times: number[] = [];
  let reported = 0;
  for (let start = 0; start < ids.length; start += BATCH) {
    const query = await startQuery();
    const rows = await query(ids.slice(start, start + BATCH))
      .select(['forecast.created_at', 'forecast_outcome.scores', SOURCE_TYPE.as('source_type')])
      .execute();
    for (const { created_at, scores, source_type } of rows) {
      times.push(created_at.getTime());
      if (!isCollectedType(source_type)) reported++;
      for (const [name, bands] of Object.entries(scores ?? {})) {
        if (!isShown(name, criteria)) continue;
        const total = totals.get(name) ?? new RecordTotal();
        totals.set(name, total);
        total.add(bands);
      }
    }
    // Lets other requests run between the batches.
    await nextTurn();
  }
  const { [ENSEMBLE]: ensemble, ...models } = Object.fromEntries(totals);
  return {
    definition: DEFINITION,
    forecasts: times.length,
    reported,
    truncated,
    from: formatTime(times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
    to: formatTime(times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
    ensemble: (ensemble ?? new RecordTotal()).summarize(),
    models: Object.entries(models)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([model, total]) => ({ model, ...total.summarize() })),
  };
}

/** Returns whether the scores with this name are shown: those of the ensemble, and of the model if one was chosen. */
export function isShown(name: string, { model }: Pick<TrackRecordCriteria, 'model'>): boolean {
  return name === ENSEMBLE || model === undefined || name === model;
}

function formatTime(time: number): string | null {
  return Number.isFinite(time) ? new Date(time).toISOString() : null;
}
