import type { Operations, Output } from '../../../../contract/index.ts';
import { routeNotFound } from '../../../edge/faults.ts';
import type { Crumb } from '../form-page.ts';
import { sourceParams } from '../source-address.ts';
import type { ConsoleVisit } from '../visit.ts';

export type Workspace = Output<Operations['readWorkspace']>;
export type CsvFile = Output<Operations['readCsvFile']>;
export type ListedFile = Output<Operations['listCsvFiles']>['files'][number];
export type CsvSeries = Output<Operations['readCsvSeries']>;

/** Reads the workspace whose files a page shows, with what the visitor may do there. */
export async function readWorkspace({ visitor, params }: ConsoleVisit): Promise<Workspace> {
  // The router also matches addresses such as /workspaces//files.
  if (!params.slug) throw routeNotFound();
  return visitor.call('readWorkspace', { params: { workspace_id: params.slug } });
}

/** Returns the path parameters of the operations on the file of a page. */
export function nameFile({ params }: ConsoleVisit): { readonly workspace_id: string; readonly csv_id: string } {
  if (!params.slug || !params.file) throw routeNotFound();
  return { workspace_id: params.slug, csv_id: params.file };
}

export function workspacePath({ slug }: Pick<Workspace, 'slug'>): string {
  return `/workspaces/${encodeURIComponent(slug)}`;
}

/** Returns the address of the files of a workspace. */
export function filesPath(workspace: Pick<Workspace, 'slug'>): string {
  return `${workspacePath(workspace)}/files`;
}

/** Returns the address of a file, or of one of its actions. */
export function filePath(workspace: Pick<Workspace, 'slug'>, id: string, action?: string): string {
  return `${filesPath(workspace)}/${encodeURIComponent(id)}${action === undefined ? '' : `/${action}`}`;
}

/** Returns the path to the files of a workspace. */
export function crumbsOf(workspace: Workspace, isBelowFiles = true): Crumb[] {
  const crumbs = [
    { href: '/workspaces', label: 'Workspaces' },
    { href: workspacePath(workspace), label: workspace.name },
  ];
  return isBelowFiles ? [...crumbs, { href: filesPath(workspace), label: 'Files' }] : crumbs;
}

/** Returns whether the visitor may list the files: at least one of them is in the resource scope. */
export function canList({ capabilities }: Workspace): boolean {
  return capabilities.includes('csv.list');
}

/** Returns whether the visitor may add, replace and delete files. */
export function canWrite({ capabilities }: Workspace): boolean {
  return capabilities.includes('csv.write');
}

/** The columns that make a series. */
export interface ChosenFields {
  readonly time_field: string;
  readonly value_field: string;
}

/** Returns the address of the form that forecasts two columns of a file. */
export function forecastAddress(
  workspace: Workspace,
  csvId: string,
  { time_field, value_field }: ChosenFields,
): string {
  const params = sourceParams({
    type: 'workspace_csv',
    workspace_id: workspace.id,
    csv_id: csvId,
    time_field,
    value_field,
  });
  return `/new?${params}`;
}
