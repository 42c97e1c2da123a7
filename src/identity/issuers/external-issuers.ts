import type { Kysely } from 'kysely';
import type { Account } from '../../access/index.ts';
import { SCOPES } from '../../contract/index.ts';
import { type Clock, compileOnce, type IssuerSettings, type Log, skipIfDiskFull } from '../../platform/index.ts';
import { ACCOUNT_COLUMNS, buildPrincipal, LAST_USE_PRECISION_MS } from '../accounts/accounts.ts';
import type { IdentityContext } from '../context.ts';
import { OAUTH_MOUNT } from '../oauth/oauth.ts';
import type { Origin } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';
import { cacheIssuerKeys } from './issuer-keys.ts';
import { linkIdentity } from './link-identity.ts';
import { type ExternalClaims, verifyToken } from './verify-token.ts';

/** The external OpenID issuers whose access tokens are accepted. */
export interface ExternalIssuers {
  /** Returns the claims of a valid token that one of the issuers issued for this service; null for any other text. */
  verify(token: string): Promise<ExternalClaims | null>;
}

export interface ExternalIssuersOptions {
  readonly issuers: readonly IssuerSettings[];
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the public origin of the service. It is the audience for issuers that are configured without one. */
  readonly siteUrl: () => string;
  /** The timeout for fetching each of an issuer's two documents. */
  readonly timeoutMs?: number | undefined;
  /** The ranges of addresses at which a key set may be although they are not public. Default: none. */
  readonly allow?: readonly string[] | undefined;
}

const TIMEOUT_MS = 2_500;

/** Creates the verifier of external tokens. It contacts issuers and loads the library only when it gets a token. */
export function openExternalIssuers(options: ExternalIssuersOptions): ExternalIssuers {
  const { clock, log, siteUrl, allow, timeoutMs = TIMEOUT_MS } = options;
  const known = new Map(
    options.issuers.map((settings) => [
      settings.issuer,
      { settings, keys: cacheIssuerKeys(settings.issuer, { clock, log, timeoutMs, allow }) },
    ]),
  );
  // The service's own tokens are not accepted here, because this code does not check that their grant still exists.
  const isOwnIssuer = (issuer: string) => issuer === `${siteUrl()}${OAUTH_MOUNT}`;
  return {
    async verify(token) {
      const issuer = known.size === 0 ? undefined : known.get((await readClaimedIssuer(token)) ?? '');
      if (issuer === undefined || isOwnIssuer(issuer.settings.issuer)) return null;
      const audience = issuer.settings.audience ?? siteUrl();
      return verifyToken(token, { ...issuer, audience, now: clock.now() });
    },
  };
}

/**
 * Returns the issuer that a token names, before it is verified. It is used only to select the keys for the
 * verification.
 */
async function readClaimedIssuer(token: string): Promise<string | undefined> {
  const { decodeJwt } = await import('jose');
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

interface ExternalSubject {
  readonly issuer: string;
  readonly subject: string;
}

const selectLinkedAccount = compileOnce((db: Kysely<IdentityTables>, { issuer, subject }: ExternalSubject) =>
  db
    .selectFrom('outside_identity')
    .innerJoin('account', 'account.id', 'outside_identity.account_id')
    .select([
      'outside_identity.id as link_id',
      'outside_identity.last_used_at',
      'account.locked_at',
      ...ACCOUNT_COLUMNS,
    ])
    .where('outside_identity.issuer', '=', issuer)
    .where('outside_identity.subject', '=', subject),
);

/**
 * Returns the account of an external issuer's access token, or null if there is none. The first token of a subject links
 * the subject to an account, if that is allowed. From then on the subject identifies the account, not the address.
 */
export async function authenticateExternalToken(
  issuers: ExternalIssuers,
  context: IdentityContext,
  token: string,
  origin?: Origin,
): Promise<Account | null> {
  const claims = await issuers.verify(token);
  if (claims === null) return null;
  let [row] = await selectLinkedAccount(context.database, claims);
  if (!row && claims.verifiedEmail !== null) {
    await linkIdentity(context, { claims, email: claims.verifiedEmail, origin });
    [row] = await selectLinkedAccount(context.database, claims);
  }
  if (!row || row.locked_at !== null) return null;
  const now = context.clock.now();
  const stale = new Date(now.getTime() - LAST_USE_PRECISION_MS);
  if (row.last_used_at < stale) await skipIfDiskFull(recordUse(context, claims, now, stale));
  return buildPrincipal(row, {
    credential: 'oauth',
    // The id of the link is the same for all tokens of a subject, has a limited length and contains no personal data.
    credentialId: row.link_id,
    credentialExpiresAt: claims.expiresAt,
    dependsOn: row.link_id,
    scopes: SCOPES,
  });
}

async function recordUse(
  context: IdentityContext,
  { issuer, subject }: ExternalSubject,
  now: Date,
  stale: Date,
): Promise<void> {
  await context.database
    .query<IdentityTables>()
    .updateTable('outside_identity')
    .set({ last_used_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    // Of several concurrent requests, one writes; the others match no row.
    .where('last_used_at', '<', stale)
    .execute();
}
