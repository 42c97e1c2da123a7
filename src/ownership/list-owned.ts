import { type RawBuilder, sql } from 'kysely';
import { listKeepable, listRemovable, type OwnedForecasts } from '../forecasts/index.ts';
import { isOnlyAdministrator } from '../identity/index.ts';
import type { Executor } from '../platform/index.ts';
import { listOwnedWorkspaces } from '../workspaces/index.ts';

/** One thing that an account owns. */
export interface OwnedItem {
  readonly id: string;
  /** Null if it has none, or if it is private to another account. */
  readonly name: string | null;
}

/** The newest things of one kind, and the number of all of them. */
export interface OwnedItems {
  readonly total: number;
  readonly items: readonly OwnedItem[];
}

/** Everything that an account owns, and what becomes of it if the account is erased. */
export interface Ownership {
  /** The workspaces with other members, which have to be transferred, deleted or left by the members first. */
  readonly blockedBy: readonly {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly members: number;
    /** A personal workspace can be neither transferred nor deleted. */
    readonly personal: boolean;
  }[];
  /** Whether the account is the only administrator, which has to make another one first. */
  readonly isOnlyAdministrator: boolean;
  readonly removed: Readonly<Record<RemovedKind, OwnedItems>>;
  /** The number of removed forecasts that are queued or running. */
  readonly unfinishedForecasts: number;
  /** The memberships in workspaces of others, with the numbers of what stays there and then belongs to their owners. */
  readonly memberships: readonly Membership[];
  readonly keepable: OwnedForecasts;
}

export interface Membership {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly forecasts: number;
  readonly events: number;
}

export const REMOVED_KINDS = [
  'workspaces',
  'csv_files',
  'forecasts',
  'events',
  'filters',
  'feeds',
  'webhooks',
  'api_keys',
  'applications',
] as const;

export type RemovedKind = (typeof REMOVED_KINDS)[number];

/** Lists everything that an account owns. @param limit how many names of each kind are listed */
export async function listOwned(
  executor: Executor,
  accountId: string,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<Ownership> {
  const read = (select: RawBuilder<unknown>) => readItems(executor, select, limit);
  const forecasts = await listRemovable(executor, accountId, limit);
  return {
    blockedBy: await findShared(executor, accountId),
    isOnlyAdministrator: await isOnlyAdministrator(executor, accountId),
    removed: {
      workspaces: await read(sql`SELECT id, name, created_at FROM workspace WHERE owner_account_id = ${accountId}`),
      csv_files: await read(sql`
        SELECT csv_file.id, csv_file.name, csv_file.created_at FROM csv_file
        JOIN workspace ON workspace.id = workspace_id WHERE owner_account_id = ${accountId} AND ready_at IS NOT NULL`),
      forecasts: { total: forecasts.total, items: forecasts.forecasts.map(({ id, name }) => ({ id, name })) },
      events: await read(selectRemovedEvents(accountId)),
      filters: await read(sql`SELECT id, name, created_at FROM screener_filter WHERE account_id = ${accountId}`),
      feeds: await read(sql`SELECT id, name, created_at FROM feed WHERE account_id = ${accountId}`),
      webhooks: await read(sql`
        SELECT webhook.id, webhook.name, webhook.created_at FROM webhook
        LEFT JOIN workspace ON workspace.id = workspace_id
        WHERE account_id = ${accountId} OR owner_account_id = ${accountId}`),
      api_keys: await read(sql`
        SELECT id, name, created_at FROM api_key WHERE account_id = ${accountId} AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)`),
      applications: await read(sql`
        SELECT record.id, client.name, record.created_at FROM oauth_record AS record
        JOIN oauth_client AS client ON client.id = record.client_id
        WHERE model = 'Grant' AND account_id = ${accountId} AND expires_at > ${now}::timestamptz`),
    },
    unfinishedForecasts: await countUnfinished(executor, accountId),
    memberships: await listForeignMemberships(executor, accountId),
    keepable: await listKeepable(executor, accountId, limit),
  };
}

/** @param select returns the columns `id`, `name` and `created_at` */
async function readItems(executor: Executor, select: RawBuilder<unknown>, limit: number): Promise<OwnedItems> {
  const { rows } = await sql<OwnedItem & { total: number }>`
    SELECT id, name, count(*) OVER ()::int AS total FROM (${select}) AS owned
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`.execute(executor.query());
  return { total: rows[0]?.total ?? 0, items: rows.map(({ id, name }) => ({ id, name })) };
}

/** Selects the events in the account's workspaces and its own ones, except those that stay in workspaces of others. */
function selectRemovedEvents(accountId: string): RawBuilder<unknown> {
  return sql`
    SELECT event.id, event.created_at,
      CASE WHEN event.visibility <> 'private' OR author_account_id = ${accountId} THEN question END AS name
    FROM event_forecast AS event LEFT JOIN workspace ON workspace.id = event.workspace_id
    WHERE workspace.owner_account_id = ${accountId}
      OR (author_account_id = ${accountId} AND (workspace.id IS NULL OR event.visibility = 'private'))`;
}

async function countUnfinished(executor: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM forecast LEFT JOIN workspace ON workspace.id = workspace_id
    WHERE status IN ('queued', 'running') AND (owner = ${accountId} OR payer = ${accountId} OR owner_account_id = ${accountId})
  `.execute(executor.query());
  return rows[0]?.count ?? 0;
}

async function findShared(executor: Executor, accountId: string): Promise<Ownership['blockedBy']> {
  const shared = (await listOwnedWorkspaces(executor, accountId)).filter(({ has_others }) => has_others);
  if (shared.length === 0) return [];
  const { rows } = await sql<Ownership['blockedBy'][number]>`
    SELECT workspace.id, slug, name, (count(*) - 1)::int AS members, legacy_personal AS personal
    FROM workspace JOIN workspace_member ON workspace_id = workspace.id
    WHERE workspace.id = ANY (${shared.map(({ id }) => id)}::text[])
    GROUP BY workspace.id ORDER BY name, workspace.id`.execute(executor.query());
  return rows;
}

/** Returns the workspaces of others that the account is a member of, with what stays there. */
async function listForeignMemberships(executor: Executor, accountId: string): Promise<readonly Membership[]> {
  const { rows } = await sql<Membership>`
    SELECT * FROM (
      SELECT workspace.id, slug, name,
        (SELECT count(*)::int FROM forecast WHERE forecast.workspace_id = workspace.id AND owner = ${accountId}
          AND visibility <> 'private') AS forecasts,
        (SELECT count(*)::int FROM event_forecast AS event WHERE event.workspace_id = workspace.id
          AND author_account_id = ${accountId} AND visibility <> 'private') AS events
      FROM workspace JOIN workspace_member ON workspace_member.workspace_id = workspace.id
      WHERE workspace_member.account_id = ${accountId} AND owner_account_id <> ${accountId}
    ) AS joined ORDER BY name, id`.execute(executor.query());
  return rows;
}
