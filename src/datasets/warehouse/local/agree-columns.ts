import type { WarehouseColumn } from '../engine.ts';
import { CELL_TYPES, type CellKind, joinKinds } from './cell-kinds.ts';
import type { CsvHead } from './csv-head.ts';
import { filesDisagree, partitionsDiffer } from './faults.ts';
import type { TableFile } from './find-table-files.ts';
import type { FooterSummary } from './footer-summary.ts';

/** Checks that the folders of all files have the same keys. */
export function checkPartitions(files: readonly TableFile[]): void {
  const [first] = files;
  if (first === undefined) return;
  for (const { name, partitions } of files) {
    const isEqual =
      partitions.size === first.partitions.size && [...partitions.keys()].every((key) => first.partitions.has(key));
    if (!isEqual) throw partitionsDiffer(name, first.name);
  }
}

/**
 * Returns the columns of Parquet files. Columns that can be used must have the same name and type in every file, because
 * DuckDB would convert values to the type of the first file, such as 2.5 to the integer 3.
 */
export function agreeParquetColumns(
  files: readonly { readonly name: string; readonly footer: FooterSummary }[],
): readonly WarehouseColumn[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const columns = first.footer.columns.map(({ name, kind, type }) => ({ name, kind, type }));
  const types = usableTypes(first.footer);
  for (const { name, footer } of others) {
    const own = usableTypes(footer);
    for (const [column, type] of types) {
      const found = own.get(column);
      if (found === undefined) throw filesDisagree(name, first.name, `it has no column ${JSON.stringify(column)}`);
      if (found !== type) {
        throw filesDisagree(name, first.name, `its column ${JSON.stringify(column)} is ${found}, not ${type}`);
      }
    }
    for (const column of own.keys()) {
      if (!types.has(column))
        throw filesDisagree(name, first.name, `its column ${JSON.stringify(column)} is not in both`);
    }
  }
  return columns;
}

function usableTypes({ columns }: FooterSummary): Map<string, string> {
  return new Map(columns.filter(({ kind }) => kind !== 'other').map(({ name, type }) => [name, type]));
}

/**
 * Returns the columns of CSV files. DuckDB assigns cells by position, so that all headers must be equal. A column of
 * integers in one file and of numbers in another one has numbers.
 */
export function agreeCsvColumns(
  files: readonly { readonly name: string; readonly head: CsvHead }[],
): readonly WarehouseColumn[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const kinds: (CellKind | null)[] = [...first.head.kinds];
  for (const { name, head } of others) {
    if (head.delimiter !== first.head.delimiter) throw filesDisagree(name, first.name, 'it has another delimiter');
    if (JSON.stringify(head.header) !== JSON.stringify(first.head.header)) {
      throw filesDisagree(name, first.name, 'its first line differs');
    }
    for (const [index, kind] of head.kinds.entries()) {
      const earlier = kinds[index] ?? null;
      const joined = joinKinds(earlier, kind);
      if (joined === 'text' && earlier !== 'text' && earlier !== null) {
        const column = JSON.stringify(head.header[index]);
        throw filesDisagree(
          name,
          first.name,
          `its column ${column} is ${CELL_TYPES[kind ?? 'text']}, not ${CELL_TYPES[earlier]}`,
        );
      }
      kinds[index] = joined;
    }
  }
  return first.head.header.map((name, index) => {
    const kind = kinds[index] ?? 'text';
    return { name, kind, type: CELL_TYPES[kind] };
  });
}
