import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { runInTurn } from '../actions/run-in-turn.ts';
import type { Visitor } from '../visitor.ts';
import type { ShownRules } from './filter-words.ts';

type Filter = Output<Operations['readScreenerAlert']>;

interface NewFilter {
  readonly name: string;
  readonly email: boolean;
  readonly rules: ShownRules;
}

/** What became of a form that was sent. */
export type Saved =
  | { readonly kind: 'created' | 'changed' | 'exists'; readonly id: string }
  /** The filter was changed after the form was opened. */
  | { readonly kind: 'stale'; readonly current: Filter };

/**
 * Creates a filter, unless the account has the same one: a form that is sent twice must not create two. Two forms that
 * reach different processes in the same moment can both create one, up to the limit of the account.
 */
export function createFilter(visitor: Visitor, { name, email, rules }: NewFilter): Promise<Saved> {
  return runInTurn(keyOf(visitor), async () => {
    const { alerts } = await visitor.call('listScreenerAlerts');
    const wanted = JSON.stringify([name.trim(), toComparable(rules)]);
    const same = alerts.find((filter) => JSON.stringify([filter.name, toComparable(filter)]) === wanted);
    if (same !== undefined && same.email === email) return { kind: 'exists', id: same.id };
    const { id } = await visitor.call('createScreenerAlert', { body: { name, email, ...rules } });
    return { kind: 'created', id };
  });
}

/** Changes a filter if it is still as the form showed it. */
export function changeFilter(
  visitor: Visitor,
  id: string,
  seen: string | undefined,
  { name, email, rules }: NewFilter,
): Promise<Saved> {
  return runInTurn(keyOf(visitor), async () => {
    const params = { alert_id: id };
    const current = await visitor.call('readScreenerAlert', { params });
    if (current.updated_at !== seen) return { kind: 'stale', current };
    await visitor.call('updateScreenerAlert', { params, body: { name, email, ...rules } });
    return { kind: 'changed', id };
  });
}

/**
 * Deletes a filter if it is still as the form showed it.
 *
 * @returns the filter as it is now if it changed in the meantime
 */
export function deleteFilter(
  visitor: Visitor,
  id: string,
  seen: string | undefined,
): Promise<'deleted' | 'gone' | Filter> {
  return runInTurn(keyOf(visitor), async () => {
    const params = { alert_id: id };
    try {
      const current = await visitor.call('readScreenerAlert', { params });
      if (current.updated_at !== seen) return current;
      await visitor.call('deleteScreenerAlert', { params });
      return 'deleted';
    } catch (error) {
      if (error instanceof Fault && error.code === 'NOT_FOUND') return 'gone';
      throw error;
    }
  });
}

function keyOf({ principal }: Visitor): string {
  return `screener ${principal.kind === 'account' ? principal.accountId : principal.kind}`;
}

/** Returns rules in one form, whatever the order of their keys. */
function toComparable({ universe, all, any }: ShownRules): unknown {
  const list = (all ?? any ?? []).map(({ field, op, value, other_field }) => [
    field,
    op,
    value ?? null,
    other_field ?? null,
  ]);
  return [universe, all === undefined ? 'any' : 'all', list];
}
