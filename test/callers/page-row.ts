import type { OperationId } from '../../src/contract/index.ts';
import type { IdentityContext } from '../../src/identity/index.ts';
import type { Caller } from './callers.ts';
import type { PageCaller } from './page-callers.ts';
import { ROWS } from './rows.ts';
import type { Scene } from './world.ts';

/** One page of the console, opened as every caller. */
export interface PageRow {
  /** The route, as the service registers it. */
  readonly path: string;
  /** What the row opens, if several open the same route. */
  readonly name?: string;
  /** Returns the address, after preparing what the page needs. Default: the path with the names of the scene. */
  readonly address?: (cell: PageCell) => string | Promise<string>;
  /** The operation whose answers decide what visitors get. Without one, every visitor gets the page. */
  readonly operation?: OperationId | undefined;
  /** Whether the page is about the workspace, the file, the forecast or the question of a scene. */
  readonly isOfWorkspace?: true;
  /** Whether the preparation leaves the scene in a state that other rows do not expect. */
  readonly changesScene?: true;
  /** The statuses of visitors for which the page differs from its operation. */
  readonly statuses?: Partial<Record<PageCaller, number>>;
}

export interface PageCell {
  readonly identity: IdentityContext;
  readonly caller: Caller;
  readonly scene: Scene;
}

/** The parameters that name a series. */
export const SERIES = 'source=economic_series&provider=bundled&series_id=us-employment-nonfarm';

/** Without a session, the address of a forecast or question that is not public is that of nothing. */
export const HIDDEN = { 'no credential': 404 } as const;

/**
 * Prepares what the table of operations needs for a request of the caller, such as a filter of its own.
 *
 * @returns the parameter of that name in the path of the request
 */
export async function prepare(cell: PageCell, operation: OperationId, parameter = ''): Promise<string> {
  const request = await ROWS[operation].request?.({ ...cell, workspace: null });
  return request?.params?.[parameter] ?? '';
}
