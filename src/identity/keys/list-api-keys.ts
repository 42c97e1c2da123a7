import type { z } from 'zod';
import type { ApiKey } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import type { ApiKeyTable, IdentityTables } from '../tables.ts';
import { liveKeyCondition } from './authenticate-key.ts';

/** Returns the live keys of an account, newest first. */
export async function listApiKeys(context: IdentityContext, accountId: string): Promise<z.output<typeof ApiKey>[]> {
  const rows = await context.database
    .query<IdentityTables>()
    .selectFrom('api_key')
    .select(SHOWN_COLUMNS)
    .where('account_id', '=', accountId)
    .where(liveKeyCondition(context.clock.now()))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(viewApiKey);
}

/** The columns of a key that a response may contain. */
const SHOWN_COLUMNS = ['id', 'name', 'hint', 'kind', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const;

export function viewApiKey(row: Pick<ApiKeyTable, (typeof SHOWN_COLUMNS)[number]>): z.output<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    kind: row.kind,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
