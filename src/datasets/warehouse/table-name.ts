import { projectDenied, tableNameInvalid } from './faults.ts';

/** The project with the public data sets. No other project is read. */
export const PUBLIC_PROJECT = 'bigquery-public-data';

/** A table name, by the engine that has the table. */
export type TableName =
  | { readonly kind: 'local'; readonly name: string }
  | { readonly kind: 'public'; readonly dataset: string; readonly table: string };

const LOCAL_NAME = /^local\.([a-z0-9_]{1,64})$/;
const PUBLIC_NAME = /^bigquery-public-data\.([A-Za-z0-9_]{1,300})\.([A-Za-z0-9_-]{1,300})$/;
/** Views of the metadata of a data set, which are read by SQL only. */
const INFORMATION_SCHEMA = /^information_schema$/i;

/**
 * Returns the parts of the name of a table. Throws a fault for any other text: SOURCE_DENIED if it names another
 * project, which includes other spellings of the public one. Wildcards, decorators and quotes are not accepted.
 *
 * @example parseTableName('local.flights') // { kind: 'local', name: 'flights' }
 */
export function parseTableName(text: string): TableName {
  const [, name] = LOCAL_NAME.exec(text) ?? [];
  if (name !== undefined) return { kind: 'local', name };
  const [, dataset, table] = PUBLIC_NAME.exec(text) ?? [];
  if (dataset !== undefined && table !== undefined && ![dataset, table].some((part) => INFORMATION_SCHEMA.test(part))) {
    return { kind: 'public', dataset, table };
  }
  const project = findProject(text);
  throw project === null || project === PUBLIC_PROJECT ? tableNameInvalid() : projectDenied(project);
}

/** A domain and a colon come first in projects of some organizations, such as google.com:analytics. */
const PROJECT = /^(?:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}:)?[a-z][a-z0-9-]{4,28}[a-z0-9](?=[.:])/i;

/** Returns the project of a name with at least three parts, which may be quoted; null if it does not have one. */
function findProject(text: string): string | null {
  const unquoted = text.replaceAll('`', '');
  const [project] = PROJECT.exec(unquoted) ?? [];
  if (project === undefined) return null;
  const [dataset = '', ...tables] = unquoted.slice(project.length + 1).split('.');
  return dataset !== '' && tables.length > 0 && tables.every((table) => table !== '') ? project : null;
}
