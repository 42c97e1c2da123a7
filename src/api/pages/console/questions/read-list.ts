import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import type { Given } from '../forecasts/list-address.ts';
import { toFieldErrors } from '../refusals.ts';
import type { ConsoleVisit } from '../visit.ts';
import type { Visitor } from '../visitor.ts';
import type { Question } from './question-view.ts';

export type Workspace = Output<Operations['listWorkspaces']>['workspaces'][number];

const LABELS = {
  entity: 'About',
  category: 'Category',
  status: 'State',
  author: 'Asked by',
  workspace_id: 'Workspace',
  source_forecast_id: ['', 'The forecast of this address'],
  deadline_from: 'Deadline from',
  deadline_to: 'Deadline until',
  sort: 'Order',
  cursor: ['', 'The link to this page of the list'],
} as const;

const PAGE_SIZE = 20;

/** A page of the list, or what is wrong with its address. */
export interface ListPage {
  readonly questions: readonly Question[];
  readonly nextCursor: string | null;
  readonly errors: FieldErrors;
  readonly status: number;
  readonly now: Date;
}

/** Reads the workspaces whose questions the visitor can see. A resource scope cannot list questions. */
export async function readWorkspaces(visitor: Visitor): Promise<readonly Workspace[]> {
  const { workspaces } = await visitor.call('listWorkspaces');
  return workspaces.filter(({ resource_scope: scope }) => scope.forecasts.mode === 'all');
}

/** Reads the page of the list that an address asks for. What is wrong in the address becomes an error. */
export async function readList({ visitor, now }: ConsoleVisit, given: Given): Promise<ListPage> {
  try {
    const query = { ...toInstants(given), limit: PAGE_SIZE };
    const { forecasts, next_cursor } = await visitor.call('listEvents', { query });
    return { questions: forecasts, nextCursor: next_cursor, errors: {}, status: 200, now };
  } catch (error) {
    const errors = toFilterErrors(error, LABELS);
    return { questions: [], nextCursor: null, errors, status: (error as Fault).status, now };
  }
}

/** Returns the errors of the filters of an address. Throws an error again that no filter is the reason for. */
export function toFilterErrors(error: unknown, labels: Parameters<typeof toFieldErrors>[1]): FieldErrors {
  if (!(error instanceof Fault)) throw error;
  if (error.code === 'WORKSPACE_DENIED') return { workspace_id: error.message };
  const errors = error.code === 'INVALID_REQUEST' ? toFieldErrors(error, labels) : null;
  if (errors === null) throw error;
  return errors;
}

/** Returns the filters of an address that a form may repeat: not a workspace whose questions the visitor cannot see. */
export function withoutDenied(given: Given, errors: FieldErrors): Given {
  const { workspace_id: _, ...others } = given;
  return errors.workspace_id === undefined ? given : others;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** Returns filters whose dates are instants. The last day of a range is part of it. */
export function toInstants(given: Given): Given {
  const toInstant = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || !DATE.test(value)) return value;
    const start = Date.parse(`${value}T00:00:00Z`);
    // The parser takes February 31 for a day in March.
    if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(value)) return value;
    return new Date(start + (name === 'deadline_to' || name === 'to' ? DAY_MS : 0)).toISOString();
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toInstant(name, value)]));
}
