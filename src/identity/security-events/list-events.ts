import type { IdentityContext } from '../context.ts';
import type { IdentityTables, SecurityEventTable } from '../tables.ts';

export type ListedSecurityEvent = Omit<SecurityEventTable, 'account_id' | 'sequence'>;

/** What happened to an account, newest first: the last `limit` events, or those before the one with the id `before`. */
export async function listSecurityEvents(
  context: IdentityContext,
  accountId: string,
  { limit, before = null }: { readonly limit: number; readonly before?: string | null },
): Promise<ListedSecurityEvent[]> {
  let select = context.database
    .query<IdentityTables>()
    .selectFrom('security_event')
    .select(['id', 'kind', 'at', 'network', 'user_agent', 'details'])
    .where('account_id', '=', accountId);
  if (before !== null) {
    select = select.where('sequence', '<', (eb) =>
      eb.selectFrom('security_event').select('sequence').where('account_id', '=', accountId).where('id', '=', before),
    );
  }
  return select.orderBy('sequence', 'desc').limit(limit).execute();
}
