import { isMissing } from './missing.ts';
import { parseNumberIn } from './numbers.ts';
import { parseTimeIn, TIME_FORMATS } from './times.ts';

/** Whether a cell is a number or a time in some format, which the name of a column hardly ever is. */
export function looksTyped(cell: string): boolean {
  const trimmed = cell.trim();
  if (isMissing(trimmed)) return false;
  if (parseNumberIn(trimmed, 'decimal_point') !== null || parseNumberIn(trimmed, 'decimal_comma') !== null) return true;
  return TIME_FORMATS.some((format) => parseTimeIn(trimmed, format) !== null);
}
