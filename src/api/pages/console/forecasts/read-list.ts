import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import type { Visitor } from '../visitor.ts';
import { toErrors } from './filter-errors.ts';
import { type Given, readSort } from './list-address.ts';

export type Workspace = Output<Operations['listWorkspaces']>['workspaces'][number];
export type Model = Output<Operations['listModels']>['models'][number];
export type Previews = Output<Operations['previewForecasts']>['previews'];
export type ListedForecast = Output<Operations['listForecasts']>['forecasts'][number];
export type RowForecast = Output<Operations['listWorkspaceForecasts']>['forecasts'][number] | ListedForecast;

export const PAGE_SIZE = 20;

/** What the choices of the filters offer. */
export interface Choices {
  readonly workspaces: readonly Workspace[];
  readonly models: readonly Model[];
}

/** A page of the list, or why it cannot be shown. */
export interface ListPage {
  /** When the page is shown. */
  readonly now: Date;
  readonly forecasts: readonly RowForecast[];
  readonly nextCursor: string | null;
  readonly previews: Previews;
  readonly errors: FieldErrors;
  readonly status: number;
}

/** Reads the workspaces and models that the visitor can filter by. A workspace without a forecast to read is not offered. */
export async function readChoices(visitor: Visitor): Promise<Choices> {
  const { models } = await visitor.call('listModels');
  const isAccount = visitor.principal.kind === 'account';
  const workspaces = isAccount ? (await visitor.call('listWorkspaces')).workspaces : [];
  return { workspaces: workspaces.filter(({ capabilities }) => capabilities.includes('forecast.read')), models };
}

const LABELS = {
  q: 'Search',
  status: 'State',
  source: 'Source',
  model: 'Model',
  workspace_id: 'Workspace',
  mine: 'Only mine',
  sort: 'Order',
  order: ['sort', 'Order'],
  cursor: ['', 'The link to this page of the list'],
} as const;

/** Reads the page of the list that an address asks for, with previews. What is wrong in the address becomes an error. */
export async function readList(visitor: Visitor, given: Given, now: Date): Promise<ListPage> {
  const { workspace_id, mine, sort, ...criteria } = given;
  const query = { ...criteria, ...readSort(sort), limit: PAGE_SIZE };
  const isShared = workspace_id !== undefined && visitor.principal.kind === 'account';
  try {
    const { forecasts, next_cursor } = isShared
      ? await visitor.call('listWorkspaceForecasts', {
          params: { workspace_id },
          query: mine === undefined ? query : { ...query, mine },
        })
      : await visitor.call('listForecasts', { query: workspace_id === undefined ? query : { ...query, workspace_id } });
    const previews = await readPreviews(visitor, forecasts);
    return { now, forecasts, nextCursor: next_cursor, previews, errors: {}, status: 200 };
  } catch (error) {
    const errors = toErrors(error, LABELS);
    const status = error instanceof Fault ? error.status : 400;
    return { now, forecasts: [], nextCursor: null, previews: {}, errors, status };
  }
}

async function readPreviews(visitor: Visitor, forecasts: readonly RowForecast[]): Promise<Previews> {
  const ids = forecasts.filter((forecast) => 'slug' in forecast).map(({ forecast_id }) => forecast_id);
  if (ids.length === 0) return {};
  return (await visitor.call('previewForecasts', { query: { ids: ids.join(',') } })).previews;
}
