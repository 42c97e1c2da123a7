/** How often something happened: `of` times it could. */
export interface Rate {
  readonly count: number;
  readonly of: number;
}

export function rateOf(outcomes: readonly boolean[]): Rate {
  return { count: outcomes.filter(Boolean).length, of: outcomes.length };
}

/** As `97.5 % (39/40)`. */
export function formatRate({ count, of }: Rate): string {
  return of === 0 ? 'none' : `${((100 * count) / of).toFixed(1)} % (${count}/${of})`;
}

/** Columns as wide as their widest cell, the first aligned to the left. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(2 + (widths[column] ?? 0))))
        .join(''),
    )
    .join('\n');
}
