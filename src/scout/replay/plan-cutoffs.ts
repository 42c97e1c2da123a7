import { Fault } from '../../contract/index.ts';

export interface CutoffPlan {
  /** Rows of the whole history. */
  readonly rows: number;
  /** Rows before the first cut-off. */
  readonly before: number;
  /** Rows after the last one: as far as the questions look. */
  readonly after: number;
  readonly cutoffs: number;
}

/**
 * Where to cut a history: evenly, the first time after `before` rows, the last time with `after` rows left. A cut-off is
 * the number of rows before it.
 */
export function planCutoffs({ rows, before, after, cutoffs }: CutoffPlan): number[] {
  const room = rows - after - before;
  if (room < cutoffs - 1) {
    const wanted = before + after + cutoffs - 1;
    throw new Fault(
      'UNPROCESSABLE',
      `The history has ${rows} rows; ${cutoffs} cut-offs with ${before} rows before and ${after} after take ${wanted}. Choose a smaller --before, fewer --cutoffs or shorter --horizons.`,
    );
  }
  if (cutoffs === 1) return [before + room];
  return Array.from({ length: cutoffs }, (_, i) => before + Math.round((i * room) / (cutoffs - 1)));
}
