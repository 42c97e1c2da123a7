import { MAX_CSV_FILES, MAX_CSV_STORED_BYTES } from '../../contract/index.ts';
import { exportFileName } from '../../snapshots/index.ts';
import {
  deleteCsvFile,
  exportCsvFile,
  listCsvFiles,
  readCsvFile,
  readCsvSeries,
  uploadCsvFile,
  viewCsvFile,
  viewListedCsvFile,
} from '../../workspaces/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { beginBody, RenderedBody } from '../responses.ts';

export const csvFileHandlers = {
  async listCsvFiles(call) {
    const { workspace_id: workspace } = call.params;
    const { files, nextCursor, storage } = await listCsvFiles(call.parts.csvFiles, accountOf(call), {
      workspace,
      ...call.query,
    });
    return {
      files: files.map(viewListedCsvFile),
      next_cursor: nextCursor,
      storage: storage && { ...storage, max_files: MAX_CSV_FILES, max_bytes: MAX_CSV_STORED_BYTES },
    };
  },

  async uploadCsvFile(call) {
    const { declared, chunks } = call.upload;
    const file = await uploadCsvFile(call.parts.csvFiles, accountOf(call), {
      workspace: call.params.workspace_id,
      name: call.query.name,
      declared,
      body: chunks,
      replaces: call.query.replaces,
      notSince: call.query.not_since === undefined ? undefined : new Date(call.query.not_since),
    });
    return viewCsvFile(file);
  },

  async readCsvFile(call) {
    const { workspace_id: workspace, csv_id: id } = call.params;
    const { file, rows, lines, nextCursor } = await readCsvFile(call.parts.csvFiles, accountOf(call), {
      workspace,
      id,
      ...call.query,
    });
    return {
      ...viewCsvFile(file),
      page: rows.map((cells) => [...cells]),
      lines: [...lines],
      next_cursor: nextCursor,
    };
  },

  async readCsvSeries(call) {
    const { workspace_id: workspace, csv_id: id } = call.params;
    const { time_field: timeField, value_field: valueField, limit } = call.query;
    const request = { workspace, id, timeField, valueField };
    const series = await readCsvSeries(call.parts.csvFiles, accountOf(call), request, call.signal);
    const { times, values } = series.rows;
    const formatTime = (row: number) => new Date(times.at(row) ?? Number.NaN).toISOString();
    const first = Math.max(0, times.length - limit);
    return {
      csv_id: series.file.id,
      workspace_id: series.file.workspace_id,
      time_field: timeField,
      value_field: valueField,
      frequency: series.frequency,
      dated_by: series.datedBy,
      count: times.length,
      span: { start: formatTime(0), end: formatTime(-1) },
      rows: Array.from(values.subarray(first), (value, row) => ({ timestamp: formatTime(first + row), value })),
    };
  },

  async downloadCsvFile(call) {
    const { workspace_id: workspace, csv_id: id } = call.params;
    const { file, chunks } = await exportCsvFile(call.parts.csvFiles, accountOf(call), { workspace, id });
    const name =
      file.name
        .trim()
        .replace(/\.csv$/i, '')
        .trim() || 'series';
    return RenderedBody.stream(await beginBody(chunks()), exportFileName([name], 'csv'), `${name}.csv`);
  },

  async deleteCsvFile(call) {
    const { workspace_id: workspace, csv_id: id } = call.params;
    await deleteCsvFile(call.parts.csvFiles, accountOf(call), { workspace, id });
    return { id, removed: true as const };
  },
} satisfies Partial<Handlers>;
