import type { Kysely } from 'kysely';
import type { Account } from '../../access/index.ts';
import { SCOPES } from '../../contract/index.ts';
import { compileOnce } from '../../platform/index.ts';
import { ACCOUNT_COLUMNS, accountPrincipal } from '../account-principal.ts';
import type { IdentityContext } from '../context.ts';
import type { Origin } from '../security-events/origin.ts';
import type { IdentityTables } from '../tables.ts';
import { linkIdentity } from './link-identity.ts';
import type { OutsideIssuers } from './outside-issuers.ts';

/** As for API keys: the price of not writing on every request. */
const LAST_USE_PRECISION_MS = 5 * 60_000;

interface Person {
  readonly issuer: string;
  readonly subject: string;
}

const linkedAccount = compileOnce((db: Kysely<IdentityTables>, { issuer, subject }: Person) =>
  db
    .selectFrom('outside_identity')
    .innerJoin('account', 'account.id', 'outside_identity.account_id')
    .select(['outside_identity.id as link_id', 'outside_identity.last_used_at', ...ACCOUNT_COLUMNS])
    .where('outside_identity.issuer', '=', issuer)
    .where('outside_identity.subject', '=', subject),
);

/**
 * The account behind an access token of an outside issuer, or null. The first token of a person links them to an
 * account, where that is allowed; from then on the issuer's name for them counts, and no address.
 */
export async function authenticateOutsideToken(
  issuers: OutsideIssuers,
  context: IdentityContext,
  token: string,
  origin?: Origin,
): Promise<Account | null> {
  const claims = await issuers.verify(token);
  if (claims === null) return null;
  let [row] = await linkedAccount(context.database, claims);
  if (!row && claims.verifiedEmail !== null) {
    await linkIdentity(context, { claims, email: claims.verifiedEmail, origin });
    [row] = await linkedAccount(context.database, claims);
  }
  if (!row) return null;
  const now = context.clock.now();
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (row.last_used_at < stale) await recordUse(context, claims, now, stale);
  return accountPrincipal(row, {
    credential: 'oauth',
    // The same for all tokens of a person, of a bounded length, and saying nothing about them.
    credentialId: row.link_id,
    credentialExpiresAt: claims.expiresAt,
    standsOn: row.link_id,
    scopes: SCOPES,
  });
}

async function recordUse(context: IdentityContext, { issuer, subject }: Person, now: Date, stale: Date): Promise<void> {
  await context.database
    .query<IdentityTables>()
    .updateTable('outside_identity')
    .set({ last_used_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    // Of many concurrent requests one writes; the others find nothing to do.
    .where('last_used_at', '<', stale)
    .execute();
}
