import { type SelectQueryBuilder, sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import { stampedBefore } from '../../provenance/index.ts';
import { requireMembership } from '../../workspaces/index.ts';
import type { ForecastContext } from '../context.ts';
import { matchesSource } from '../forecast-criteria.ts';
import { readVisibleWorkspaces } from '../list-forecasts.ts';
import type { ForecastTables } from '../tables.ts';

/** Selects outcomes among those of the forecasts that the caller may read. */
export interface TrackRecordCriteria {
  /** Id or slug. */
  readonly workspace_id?: string | undefined;
  /** A member model that the forecasts have. */
  readonly model?: string | undefined;
  /** The type of a source, or its symbol, series id or table, in any case. */
  readonly source?: string | undefined;
  readonly horizon?: number | undefined;
  /** Created at or after this time. */
  readonly from?: string | undefined;
  /** Created before this time. */
  readonly to?: string | undefined;
  /** Whether only forecasts count that were stamped before their first scored row could be known. */
  readonly stamped?: boolean | undefined;
  /** Whether only forecasts count that the caller owns. */
  readonly mine?: boolean | undefined;
}

/** The largest number of forecasts in one track record. */
const MAX_COUNTED_FORECASTS = 10_000;

type OutcomeQuery<Row> = SelectQueryBuilder<ForecastTables, 'forecast' | 'forecast_outcome', Row>;

/** Restricts a query for outcomes. */
type OutcomeSelector = <Row>(query: OutcomeQuery<Row>) => OutcomeQuery<Row>;

/** The forecasts of a track record. */
export interface SelectedOutcomes {
  /** The ids of the forecasts, latest outcome first. */
  readonly ids: readonly string[];
  /** Whether forecasts with older outcomes were left out. */
  readonly truncated: boolean;
  /**
   * Reads the present memberships of the caller. Returns the function that starts a query for some of these forecasts. It
   * finds only those that the caller may still read.
   */
  readonly startQuery: () => Promise<(ids: readonly string[]) => OutcomeQuery<object>>;
}

/** Rows that were sent with the request have no source. */
export const SOURCE_TYPE = sql<string>`coalesce(forecast.settings -> 'source' ->> 'type', 'inline')`;

/** What identifies the rows within a source of this type; null for rows that were sent with the request. */
export const SOURCE_NAME = sql<string | null>`coalesce(
  forecast.settings -> 'source' ->> 'symbol',
  forecast.settings -> 'source' ->> 'series_id',
  forecast.settings -> 'source' ->> 'table',
  forecast.settings -> 'source' ->> 'csv_id'
)`;

/** Finds the forecasts that match the criteria and that the caller may read. */
export async function selectOutcomes(
  context: ForecastContext,
  principal: Account,
  criteria: TrackRecordCriteria,
  limit = MAX_COUNTED_FORECASTS,
): Promise<SelectedOutcomes> {
  const { workspace_id } = criteria;
  const membership =
    workspace_id === undefined
      ? null
      : await requireMembership(context.database, principal, workspace_id, 'track_record.read');
  const workspaceId = membership?.workspaceId;
  const select = await createSelector(context, principal, { ...criteria, workspaceId });
  const start = () =>
    context.database
      .query<ForecastTables>()
      .selectFrom('forecast_outcome')
      .innerJoin('forecast', 'forecast.id', 'forecast_outcome.forecast_id');
  const found = await select(start().select('forecast.id'))
    .orderBy('forecast_outcome.completed_at', 'desc')
    .orderBy('forecast_outcome.forecast_id', 'desc')
    .limit(limit + 1)
    .execute();
  const ids = found.slice(0, limit).map(({ id }) => id);
  return {
    ids,
    truncated: found.length > limit,
    startQuery: async () => {
      const selectNow = await createSelector(context, principal, { ...criteria, workspaceId });
      return (some) => selectNow(start()).where('forecast.id', 'in', some);
    },
  };
}

/** Reads the memberships of the caller. Returns the function that restricts queries to what it may read now. */
async function createSelector(
  context: ForecastContext,
  principal: Account,
  {
    workspaceId,
    model,
    source,
    horizon,
    from,
    to,
    stamped = false,
    mine = false,
  }: TrackRecordCriteria & { readonly workspaceId: string | undefined },
): Promise<OutcomeSelector> {
  const { accountId } = principal;
  const { unrestricted, restricted, selectedIds } = await readVisibleWorkspaces(context, principal);
  return (query) =>
    query
      .where('forecast_outcome.scores', 'is not', null)
      // A reproduction repeats a forecast whose outcome may be known already. A process of an earlier version does not
      // mark it.
      .where('forecast.is_copy', '=', false)
      .where('forecast.reproduces', 'is', null)
      .where('forecast.comparison', 'is', null)
      .where((where) =>
        where.or([
          // Outcomes that other accounts sent count only within a workspace: anyone could publish invented ones.
          where.and([
            where('forecast.visibility', '=', 'public'),
            where.or([
              where('forecast.owner', '=', accountId),
              sql<boolean>`${SOURCE_TYPE} NOT IN ('inline', 'workspace_csv')`,
            ]),
          ]),
          where.and([where('forecast.workspace_id', 'is', null), where('forecast.owner', '=', accountId)]),
          where.and([
            where('forecast.visibility', '<>', 'private'),
            where.or([
              where('forecast.workspace_id', '=', where.fn.any(where.val(unrestricted))),
              where.and([
                where('forecast.workspace_id', '=', where.fn.any(where.val(restricted))),
                where('forecast.id', '=', where.fn.any(where.val(selectedIds))),
              ]),
            ]),
          ]),
          where.and([
            where('forecast.visibility', '=', 'private'),
            where('forecast.owner', '=', accountId),
            where('forecast.workspace_id', '=', where.fn.any(where.val([...unrestricted, ...restricted]))),
          ]),
        ]),
      )
      .$if(workspaceId !== undefined, (all) => all.where('forecast.workspace_id', '=', workspaceId ?? ''))
      .$if(mine, (all) => all.where('forecast.owner', '=', accountId))
      .$if(model !== undefined, (all) => all.where(sql<boolean>`forecast_outcome.scores -> ${model}::text IS NOT NULL`))
      .$if(source !== undefined, (all) => all.where(matchesSource(source ?? '')))
      .$if(horizon !== undefined, (all) =>
        all.where(sql<boolean>`(forecast.settings ->> 'horizon')::integer = ${horizon}::integer`),
      )
      .$if(from !== undefined, (all) => all.where('forecast.created_at', '>=', new Date(from ?? 0)))
      .$if(to !== undefined, (all) => all.where('forecast.created_at', '<', new Date(to ?? 0)))
      .$if(stamped, (all) =>
        all.where(stampedBefore(sql`forecast.content_cid`, sql`forecast_outcome.first_outcome_at`)),
      ) as typeof query;
}
