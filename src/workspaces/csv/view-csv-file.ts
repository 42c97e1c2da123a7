import type { z } from 'zod';
import type { CsvFile } from '../../contract/index.ts';
import type { CsvFileSummary } from './list-csv-files.ts';
import type { CsvFileRow } from './tables.ts';

/** A file in a list, as the interface shows it. */
export function viewListedCsvFile({ columns, ...file }: CsvFileSummary) {
  return { ...viewFacts(file), columns };
}

/** A file as the interface shows it. */
export function viewCsvFile(file: CsvFileRow): z.output<typeof CsvFile> {
  return {
    ...viewFacts(file),
    encoding: file.encoding,
    delimiter: file.delimiter,
    header: file.has_header ? 'present' : 'absent',
    columns: file.columns.map(({ name, type, format, nulls, examples, note }) => ({
      name,
      type,
      format,
      nulls,
      examples: [...examples],
      note,
    })),
  };
}

function viewFacts(file: Omit<CsvFileSummary, 'columns'>) {
  return {
    id: file.id,
    workspace_id: file.workspace_id,
    name: file.name,
    rows: file.rows,
    size_bytes: file.bytes,
    sha256: file.sha256,
    time_field: file.time_field,
    value_field: file.value_field,
    frequency: file.frequency,
    uploaded_by: file.uploaded_by,
    created_at: file.created_at.toISOString(),
  };
}
