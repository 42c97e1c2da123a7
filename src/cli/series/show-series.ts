import { cleanLine } from '../../charts/index.ts';

const MAX_CELL = 60;

/** Returns rows as aligned columns for a terminal. Texts of providers and files become one clean line each. */
export function formatTable(
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): string {
  const clean = rows.map((cells) => cells.map((cell) => cleanLine(cell, MAX_CELL)));
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((cells) => cells[column]?.length ?? 0)));
  return clean
    .map((cells) => {
      const padded = cells.map((cell, column) =>
        isRight(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      );
      return `${padded.join('  ').trimEnd()}\n`;
    })
    .join('');
}

/** Returns names with their values, without those that have none. */
export function formatFacts(facts: readonly (readonly [name: string, value: string | null | undefined])[]): string {
  const given = facts.filter((fact): fact is readonly [string, string] => Boolean(fact[1]));
  const width = Math.max(...given.map(([name]) => name.length));
  return given.map(([name, value]) => `${name.padEnd(width)}  ${cleanLine(value, 400)}\n`).join('');
}

/** Formats the beginning and the end of a series. */
export function formatSpan(span: { readonly start: string; readonly end: string } | null): string {
  return span === null ? '' : `${span.start.slice(0, 10)} to ${span.end.slice(0, 10)}`;
}
