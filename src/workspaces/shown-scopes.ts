import type { ResourceScope } from '../access/index.ts';
import type { Executor } from '../platform/index.ts';
import type { WorkspaceContext } from './context.ts';

type Scope = ResourceScope & { ids: string[] };

interface WithScope {
  readonly resource_scope: { csv: Scope; forecasts: Scope };
}

/**
 * Places as an account is shown them: the lists of forecasts without those that are private to somebody else, which may
 * be there because who made them has put them there.
 */
export async function asShownTo<View extends WithScope>(
  { privateToOthers }: Pick<WorkspaceContext, 'privateToOthers'>,
  executor: Executor,
  accountId: string,
  views: readonly View[],
): Promise<View[]> {
  const listed = new Set(views.flatMap(({ resource_scope }) => resource_scope.forecasts.ids));
  const hidden = listed.size === 0 ? [] : await privateToOthers(executor, accountId, [...listed]);
  if (hidden.length === 0) return [...views];
  const isHidden = new Set(hidden);
  return views.map((view) => {
    const { csv, forecasts } = view.resource_scope;
    const ids = forecasts.ids.filter((id) => !isHidden.has(id));
    return { ...view, resource_scope: { csv, forecasts: { ...forecasts, ids } } };
  });
}
