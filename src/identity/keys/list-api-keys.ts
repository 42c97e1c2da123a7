import type { z } from 'zod';
import type { ApiKey } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import type { IdentityTables } from '../tables.ts';
import { SHOWN_COLUMNS, showApiKey } from './api-key.ts';
import { isLiveKey } from './live-key.ts';

/** The live keys of an account, newest first. */
export async function listApiKeys(context: IdentityContext, accountId: string): Promise<z.output<typeof ApiKey>[]> {
  const rows = await context.database
    .query<IdentityTables>()
    .selectFrom('api_key')
    .select(SHOWN_COLUMNS)
    .where('account_id', '=', accountId)
    .where(isLiveKey(context.clock.now()))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(showApiKey);
}
