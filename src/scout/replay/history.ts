import type { Cadence } from '../../calendar/index.ts';
import type { SourceRows } from '../../snapshots/index.ts';
import { replayHistoryTooShort, replayValueNotPositive } from '../faults.ts';

/** A whole history to replay. It includes the rows after each cutoff, which are used only to decide outcomes. */
export interface ReplayHistory {
  readonly cadence: Cadence;
  readonly timestamps: Float64Array;
  readonly values: Float64Array;
}

/**
 * Converts the rows of a source to a history. Refuses values that are not finite and above 0, because changes in
 * percent need such values.
 */
export function toReplayHistory({ table, valueField, cadence }: SourceRows): ReplayHistory {
  const values = table.columns[valueField] ?? new Float64Array();
  const wrong = values.findIndex((value) => !(value > 0 && Number.isFinite(value)));
  if (wrong === -1) return { cadence, timestamps: table.timestamps, values };
  const at = new Date(table.timestamps[wrong] as number).toISOString();
  throw replayValueNotPositive(at, values[wrong]);
}

interface CutoffPlan {
  /** Number of rows in the whole history. */
  readonly rows: number;
  /** Number of rows before the first cutoff. */
  readonly before: number;
  /** Number of rows after the last cutoff: the longest horizon. */
  readonly after: number;
  readonly cutoffs: number;
}

/**
 * Returns evenly spaced cutoffs: the first after `before` rows, the last before the final `after` rows. Each cutoff is
 * given as the number of rows before it.
 */
export function planCutoffs({ rows, before, after, cutoffs }: CutoffPlan): number[] {
  const span = rows - after - before;
  if (span < cutoffs - 1) throw replayHistoryTooShort(rows, before + after + cutoffs - 1);
  if (cutoffs === 1) return [before + span];
  return Array.from({ length: cutoffs }, (_, i) => before + Math.round((i * span) / (cutoffs - 1)));
}
