import type { Adjustment } from '../../../contract/index.ts';
import type { RawBar } from '../provider.ts';
import type { DailyRow } from './read-history.ts';

/**
 * A row as a bar. `all` scales every price by adjusted close / close. The close is scaled as the others are, rather
 * than taken from the file: one product for all four keeps a close that equals the high at the high, to the last bit.
 */
export function adjustRow(row: DailyRow, adjustment: Adjustment): RawBar {
  const factor = adjustment === 'all' ? row.adjustedClose / row.close : 1;
  return {
    timestamp: row.timestamp,
    open: row.open * factor,
    high: row.high * factor,
    low: row.low * factor,
    close: row.close * factor,
    volume: row.volume,
  };
}
