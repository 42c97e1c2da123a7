import type { RowShape } from '../../snapshots/index.ts';
import { BAR_COLUMNS, type BarTable } from '../bars.ts';

/** How bars are written as JSON and CSV. */
export const BAR_ROWS: RowShape = {
  heads: Object.fromEntries(BAR_COLUMNS.map((name) => [name, name])),
  toJson: (timestamp, columns, row) => {
    const { open, high, low, close, volume } = columns as BarTable['columns'];
    return { timestamp, open: open[row], high: high[row], low: low[row], close: close[row], volume: volume[row] };
  },
};
