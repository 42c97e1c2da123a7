import { exportFileName } from '../../snapshots/index.ts';
import {
  deleteCsvFile,
  exportCsvFile,
  listCsvFiles,
  readCsvFile,
  uploadCsvFile,
  viewCsvFile,
  viewListedCsvFile,
} from '../../workspaces/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { RenderedBody } from '../responses.ts';

export const csvFileHandlers = {
  async listCsvFiles(call) {
    const { workspace_id: workspace } = call.params;
    const { files, nextCursor } = await listCsvFiles(call.parts.csvFiles, accountOf(call), {
      workspace,
      ...call.query,
    });
    return { files: files.map(viewListedCsvFile), next_cursor: nextCursor };
  },

  async uploadCsvFile(call) {
    const { declared, chunks } = call.upload;
    const file = await uploadCsvFile(call.parts.csvFiles, accountOf(call), {
      workspace: call.params.workspace_id,
      name: call.query.name,
      declared,
      body: chunks,
    });
    return viewCsvFile(file);
  },

  async readCsvFile(call) {
    const { workspace_id: workspace, csv_id: id } = call.params;
    const { file, rows, nextCursor } = await readCsvFile(call.parts.csvFiles, accountOf(call), {
      workspace,
      id,
      ...call.query,
    });
    return { ...viewCsvFile(file), page: rows.map((cells) => [...cells]), next_cursor: nextCursor };
  },

  async downloadCsvFile(call) {
    const { workspace_id: workspace, csv_id: id } = call.params;
    const { file, chunks } = await exportCsvFile(call.parts.csvFiles, accountOf(call), { workspace, id });
    const name =
      file.name
        .trim()
        .replace(/\.csv$/i, '')
        .trim() || 'series';
    return RenderedBody.stream(chunks, exportFileName([name], 'csv'), `${name}.csv`);
  },

  async deleteCsvFile(call) {
    const { workspace_id: workspace, csv_id: id } = call.params;
    await deleteCsvFile(call.parts.csvFiles, accountOf(call), { workspace, id });
    return { id, removed: true as const };
  },
} satisfies Partial<Handlers>;
