import type { Cadence } from '../../calendar/index.ts';
import { Fault } from '../../contract/index.ts';
import type { SourceRows } from '../../snapshots/index.ts';

/** A whole history that is replayed: what came after a cut-off is in it, and only the outcomes look there. */
export interface History {
  readonly cadence: Cadence;
  readonly timestamps: Float64Array;
  readonly values: Float64Array;
}

/** The history in the rows of a source. Changes in percent need values above 0, each of them observed. */
export function historyOf({ table, valueField, cadence }: SourceRows): History {
  const values = table.columns[valueField] ?? new Float64Array();
  const wrong = values.findIndex((value) => !(value > 0 && Number.isFinite(value)));
  if (wrong === -1) return { cadence, timestamps: table.timestamps, values };
  const at = new Date(table.timestamps[wrong] as number).toISOString();
  throw new Fault('UNPROCESSABLE', `A replay needs values above 0; at ${at} stands ${values[wrong]}.`);
}
