/** What files write where there is no value: nothing, the words of R, Excel and pandas, and the dot of FRED. */
const MISSING = /^(?:|na|n\/a|#n\/a|nan|null|\.)$/i;

/** @param cell without the white space around it */
export function isMissing(cell: string): boolean {
  return cell.length <= 4 && MISSING.test(cell);
}
