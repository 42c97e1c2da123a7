import { Fault } from '../../contract/index.ts';

export function tableNameInvalid(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'source.table: must be local.<name> or bigquery-public-data.<dataset>.<table>. Names have letters, digits and underscores.',
  );
}

export function projectDenied(project: string): Fault {
  return new Fault(
    'SOURCE_DENIED',
    `source.table: the project ${JSON.stringify(project)} is not read. Only tables of bigquery-public-data and local tables are.`,
  );
}

export function tableNotFound(table: string): Fault {
  return new Fault(
    'NOT_FOUND',
    `source.table: no table is named ${JSON.stringify(table)}. Use the search to find tables.`,
  );
}
