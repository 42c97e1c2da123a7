import type { ValueRange, WarehouseColumn, WarehouseTable } from '../engine.ts';
import { agreeCsvColumns, agreeParquetColumns, checkPartitions } from './agree-columns.ts';
import type { TableOrigin } from './bundled-table.ts';
import type { CsvHead } from './csv-head.ts';
import type { TableFile, TableFiles, TableFormat } from './find-table-files.ts';
import { type FooterColumn, type FooterSummary, foldName } from './footer-summary.ts';
import { describePartitions, type PartitionColumn, partitionValue } from './partitions.ts';

/** A file of a table with what estimates need of it. */
export interface LocalFile extends TableFile {
  readonly footerBytes: number;
  /** The rows of each row group. A CSV file has none. */
  readonly rows: Float64Array;
  /** The columns with statistics, by name. */
  readonly columns: ReadonlyMap<string, FooterColumn>;
}

/** A table of the warehouse folder, or the bundled one. */
export interface LocalTable extends WarehouseTable {
  readonly format: TableFormat;
  readonly files: readonly LocalFile[];
  /** The columns whose values are in the names of folders. */
  readonly partitions: readonly PartitionColumn[];
  /** How CSV files are read. Undefined for Parquet files. */
  readonly csv?: Pick<CsvHead, 'delimiter' | 'header'> | undefined;
}

/** How the metadata of files are read. */
export interface MetadataReaders {
  readFooter(file: TableFile): Promise<FooterSummary>;
  readHead(file: TableFile): Promise<CsvHead>;
}

export const OPERATOR_ORIGIN: TableOrigin = {
  publisher: 'The operator of this service',
  license: { name: 'of the operator', url: null },
  notes: null,
};

/** The files of a table that are read at the same time. More would let a large table delay the others. */
const MAX_CONCURRENT = 4;

/** Reads the metadata of the files of a table. */
export async function readLocalTable(
  name: string,
  { format, files }: TableFiles,
  readers: MetadataReaders,
  origin: { readonly isBundled: boolean } & TableOrigin,
  signal?: AbortSignal,
): Promise<LocalTable> {
  checkPartitions(files);
  const partitions = describePartitions(files);
  const keys = new Set(partitions.map((column) => foldName(column.name)));
  const footers = format === 'parquet' ? await readEach(files, readers.readFooter, signal) : [];
  const heads = format === 'csv' ? await readEach(files, readers.readHead, signal) : [];
  const named = <Metadata>(found: Metadata, index: number) => ({ name: files[index]?.name ?? '', ...found });
  const inFiles =
    format === 'parquet'
      ? agreeParquetColumns(footers.map((footer, index) => named({ footer }, index)))
      : agreeCsvColumns(heads.map((head, index) => named({ head }, index)));
  // The value of a folder replaces that of a column, as in DuckDB.
  const columns = [...inFiles.filter((column) => !keys.has(foldName(column.name))), ...partitions];
  const localFiles = files.map((file, index) => toLocalFile(file, footers[index]));
  const rows = format === 'csv' ? null : localFiles.reduce((sum, file) => sum + sumOf(file.rows), 0);
  const newest = Math.max(...localFiles.map(({ modifiedNs }) => Number(modifiedNs / 1_000_000n)));
  const [head] = heads;
  return {
    name: `local.${name}`,
    title: name.replaceAll(/_+/g, ' ').trim() || name,
    columns,
    rows,
    ranges: findRanges(columns, localFiles, partitions),
    // The files of a package have the time of its installation.
    lastUpdate: origin.isBundled ? null : new Date(newest).toISOString(),
    publisher: origin.publisher,
    license: { ...origin.license },
    notes: [formatSize(format, rows, files.length), origin.notes].filter((note) => note !== null).join(' '),
    format,
    files: localFiles,
    partitions,
    csv: head && { delimiter: head.delimiter, header: head.header },
  };
}

async function readEach<Metadata>(
  files: readonly TableFile[],
  read: (file: TableFile) => Promise<Metadata>,
  signal: AbortSignal | undefined,
): Promise<Metadata[]> {
  const results = new Array<Metadata>(files.length);
  let next = 0;
  const readRest = async (): Promise<void> => {
    while (next < files.length) {
      signal?.throwIfAborted();
      const index = next++;
      results[index] = await read(files[index] as TableFile);
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, readRest));
  } finally {
    // After a failure, the others stop.
    next = files.length;
  }
  return results;
}

function toLocalFile(file: TableFile, footer: FooterSummary | undefined): LocalFile {
  const usable = footer?.columns.filter(({ kind }) => kind !== 'other') ?? [];
  return {
    ...file,
    footerBytes: footer?.footerBytes ?? 0,
    rows: footer?.rows ?? new Float64Array(),
    columns: new Map(usable.map((column) => [column.name, column])),
  };
}

/** Returns the ranges of the columns whose statistics cover all rows. */
function findRanges(
  columns: readonly WarehouseColumn[],
  files: readonly LocalFile[],
  partitions: readonly PartitionColumn[],
): ReadonlyMap<string, ValueRange> {
  const keys = new Set(partitions.map(({ name }) => name));
  const ranges = new Map<string, ValueRange>();
  for (const { name, kind } of columns) {
    if (kind === 'text' || kind === 'boolean' || kind === 'other') continue;
    let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const isCovered = files.every(({ rows, columns: inFile, partitions: values }) => {
      if (keys.has(name)) {
        const value = values.get(name) ?? null;
        if (value !== null) [min, max] = extend(min, max, Number(partitionValue(kind, value)));
        return true;
      }
      const column = inFile.get(name);
      return (
        column !== undefined &&
        rows.every((count, group) => {
          if (count === 0 || column.nulls[group] === count) return true;
          const [low, high] = [Number(column.min[group] ?? Number.NaN), Number(column.max[group] ?? Number.NaN)];
          [min, max] = extend(...extend(min, max, low), high);
          return low <= high;
        })
      );
    });
    if (isCovered && min <= max) ranges.set(name, { min, max });
  }
  return ranges;
}

function extend(min: number, max: number, value: number): [number, number] {
  return [Math.min(min, value), Math.max(max, value)];
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function formatSize(format: TableFormat, rows: number | null, files: number): string {
  const count = files === 1 ? '1 file' : `${files.toLocaleString('en-US')} files`;
  if (rows === null) return `The table has ${count} in the format ${format.toUpperCase()}.`;
  return `The table has ${rows.toLocaleString('en-US')} rows in ${count}.`;
}
