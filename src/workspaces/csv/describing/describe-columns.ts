import { isTimeName } from './column-names.ts';
import type { ColumnDescription, ColumnProfile } from './column-profile.ts';

/** What the columns of a file are, each seen beside the others. */
export function describeColumns(profiles: readonly ColumnProfile[]): ColumnDescription[] {
  const columns = profiles.map((profile) => profile.describe());
  const time = columns.find(isCertainTime) ?? columns.find(({ type }) => type === 'timestamp');
  return columns.map((column, index) => {
    if (isPerhapsYear(column) && column !== time) return { ...column, type: 'number', format: 'decimal_point' };
    const epochs = profiles[index]?.epochs ?? null;
    const looksLikeTime = isTimeName(column.name) || time === undefined;
    return column.type === 'number' && epochs !== null && looksLikeTime ? { ...column, note: epochs } : column;
  });
}

/** Four digits that only go up, under a name that does not say that they are years. */
function isPerhapsYear({ format, name }: ColumnDescription): boolean {
  return format === 'year' && !isTimeName(name);
}

function isCertainTime(column: ColumnDescription): boolean {
  return column.type === 'timestamp' && !isPerhapsYear(column);
}
