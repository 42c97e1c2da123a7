import type { ColumnMetaData, FileMetaData, SchemaElement, Statistics } from 'hyparquet';
import { MAX_WAREHOUSE_COLUMN_NAME } from '../../../contract/csv-vocabulary.ts';
import type { WarehouseColumn } from '../engine.ts';
import { afterText, findParquetType, type ParquetType } from './parquet-types.ts';

/**
 * The statistics of a column, one for each row group: milliseconds since 1970 for times, 0 and 1 for booleans, NaN or null
 * where there is none. The characters of text are its bytes in UTF-8, so that its order is that of Parquet.
 */
export type Bounds = Float64Array | readonly (string | null)[];

/** A column of a Parquet file. A column of the kind `other` has no row groups. */
export interface FooterColumn extends WarehouseColumn {
  /** The compressed bytes in each row group. */
  readonly bytes: Float64Array;
  readonly min: Bounds;
  readonly max: Bounds;
  /** The number of NULLs in each row group; NaN if it is not stated. */
  readonly nulls: Float64Array;
}

/** What estimates need of the footer of a Parquet file. */
export interface FooterSummary {
  readonly footerBytes: number;
  /** The rows of each row group. */
  readonly rows: Float64Array;
  readonly columns: readonly FooterColumn[];
}

export type FooterProblem = 'unreadable' | 'too-large' | 'too-many-columns' | 'changed' | 'inaccessible';

/** The error for a footer whose parts contradict each other or exceed a limit. */
export class FooterError extends Error {
  override readonly name = 'FooterError';
  readonly problem: FooterProblem;

  constructor(problem: FooterProblem) {
    super(`The footer is ${problem}.`);
    this.problem = problem;
  }
}

export const MAX_COLUMNS = 10_000;

/**
 * Returns the summary of a footer.
 *
 * @param fileSize the size of the file, which no part of it exceeds
 */
export function summarizeFooter(metadata: FileMetaData, footerBytes: number, fileSize: number): FooterSummary {
  const found = findColumns(metadata.schema);
  const leaves = found.reduce((sum, { leafCount }) => sum + leafCount, 0);
  const rows = Float64Array.from(metadata.row_groups, ({ num_rows: count }) => toCount(count, Number.MAX_SAFE_INTEGER));
  const chunks = metadata.row_groups.map(({ columns }) => {
    if (columns.length !== leaves) throw new FooterError('unreadable');
    return columns.map(({ meta_data: chunk }) => chunk ?? null);
  });
  const names = countNames(found);
  let leaf = 0;
  const columns = found.map(({ element, leafCount }) => {
    const { normalize, trustsDeprecated, ...type } = findParquetType(element);
    const own = leaf;
    leaf += leafCount;
    const isUsable = type.kind !== 'other' && isUsableName(element.name, names);
    const column = { name: element.name, kind: isUsable ? type.kind : ('other' as const), type: type.type };
    const ownChunks = isUsable ? chunks.map((group) => group[own] ?? null) : [];
    return summarizeColumn(column, ownChunks, { normalize, trustsDeprecated }, { element, fileSize });
  });
  return { footerBytes, rows, columns };
}

interface FoundColumn {
  readonly element: SchemaElement;
  /** The number of column chunks in each row group: several for a record. */
  readonly leafCount: number;
}

/** Returns the columns below the root. The schema is a list in the order of a walk through the tree. */
function findColumns(schema: readonly SchemaElement[]): FoundColumn[] {
  const [root, ...rest] = schema;
  if (childCount(root) > MAX_COLUMNS) throw new FooterError('too-many-columns');
  const columns: FoundColumn[] = [];
  for (let at = 0; at < rest.length; ) {
    const element = rest[at++] as SchemaElement;
    let open = childCount(element);
    let leafCount = element.type === undefined ? 0 : 1;
    for (; open > 0; at++) {
      const below = rest[at];
      open += childCount(below) - 1;
      leafCount += below?.type === undefined ? 0 : 1;
    }
    columns.push({ element, leafCount });
  }
  if (columns.length !== childCount(root)) throw new FooterError('unreadable');
  return columns;
}

function childCount(element: SchemaElement | undefined): number {
  const count = element?.num_children ?? 0;
  const isGroup = count > 0 && element?.type === undefined;
  if (element === undefined || count < 0 || (count > 0 && !isGroup)) throw new FooterError('unreadable');
  return count;
}

function summarizeColumn(
  column: WarehouseColumn,
  chunks: readonly (ColumnMetaData | null)[],
  { normalize, trustsDeprecated }: Pick<ParquetType, 'normalize' | 'trustsDeprecated'>,
  { element, fileSize }: { readonly element: SchemaElement; readonly fileSize: number },
): FooterColumn {
  const statistics = chunks.map((chunk) => chunk?.statistics);
  const bounds = (isMax: boolean): Bounds => {
    const values = statistics.map((found) => {
      const bound = normalize === null ? undefined : findBound(found, isMax, trustsDeprecated);
      return bound === undefined || normalize === null ? null : normalize(bound, isMax);
    });
    if (column.kind !== 'text')
      return Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)));
    return values.map((value, group) => {
      if (typeof value !== 'string') return null;
      return isMax && statistics[group]?.is_max_value_exact !== true ? afterText(value) : value;
    });
  };
  return {
    ...column,
    bytes: Float64Array.from(chunks, (chunk) => {
      // A column that is encrypted has no metadata.
      if (chunk === null || chunk.type !== element.type) throw new FooterError('unreadable');
      return toCount(chunk.total_compressed_size, fileSize);
    }),
    min: bounds(false),
    max: bounds(true),
    nulls: Float64Array.from(statistics, (found) => Number(found?.null_count ?? Number.NaN)),
  };
}

function findBound(statistics: Statistics | undefined, isMax: boolean, trustsDeprecated: boolean): unknown {
  const bound = isMax ? statistics?.max_value : statistics?.min_value;
  if (bound !== undefined || !trustsDeprecated) return bound;
  return isMax ? statistics?.max : statistics?.min;
}

function toCount(count: unknown, max: number): number {
  const value = typeof count === 'bigint' ? Number(count) : Number.NaN;
  if (value >= 0 && value <= max) return value;
  throw new FooterError('unreadable');
}

/** Counts names as DuckDB compares them. It ignores case, and it renames columns that then have the same name. */
function countNames(columns: readonly FoundColumn[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { element } of columns) {
    const name = foldName(element.name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Returns whether a query with this name reads this column and no other. */
function isUsableName(name: string, counts: ReadonlyMap<string, number>): boolean {
  // Control characters end or hide a part of the name, and the last character replaces bytes that are not UTF-8.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
  if (name === '' || name.length > MAX_WAREHOUSE_COLUMN_NAME || /[\u0000-\u001f\u007f\ufffd]/.test(name)) return false;
  const folded = foldName(name);
  // DuckDB gives the second column `a` the name `a_1`.
  const renamed = folded.replace(/_\d+$/, '');
  return counts.get(folded) === 1 && (renamed === folded || (counts.get(renamed) ?? 0) < 2);
}

/** Returns a name in the form in which DuckDB compares it: only ASCII letters are folded. */
export function foldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
