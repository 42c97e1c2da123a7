import type { Clock, IssuerSettings, Log } from '../../platform/index.ts';
import { OAUTH_MOUNT } from '../oauth/oauth.ts';
import { holdKeys } from './issuer-keys.ts';
import { type OutsideClaims, verifyToken } from './verify-token.ts';

/** The OpenID issuers whose access tokens are good here. */
export interface OutsideIssuers {
  /** What a token says, or null when none of the issuers made it for us or it is not in force. */
  verify(token: string): Promise<OutsideClaims | null>;
}

export interface OutsideIssuersOptions {
  readonly issuers: readonly IssuerSettings[];
  readonly clock: Clock;
  readonly log: Log;
  /** The audience where an issuer has no other. */
  readonly siteUrl: () => string;
  /** How long an issuer may take for each of its two documents. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 2_500;

/** Nothing is asked of an issuer, and no library is loaded, before a first token comes. */
export function openOutsideIssuers(options: OutsideIssuersOptions): OutsideIssuers {
  const { clock, log, siteUrl, timeoutMs = TIMEOUT_MS } = options;
  const known = new Map(
    options.issuers.map((settings) => [
      settings.issuer,
      { settings, keys: holdKeys(settings.issuer, { clock, log, timeoutMs }) },
    ]),
  );
  // Our own tokens end with their grant, which nobody would ask about here.
  const isOurOwn = (issuer: string) => issuer === `${siteUrl()}${OAUTH_MOUNT}`;
  return {
    async verify(token) {
      const issuer = known.size === 0 ? undefined : known.get((await claimedIssuer(token)) ?? '');
      if (issuer === undefined || isOurOwn(issuer.settings.issuer)) return null;
      const audience = issuer.settings.audience ?? siteUrl();
      return verifyToken(token, { ...issuer, audience, now: clock.now() });
    },
  };
}

/** Whose token it says it is. Chooses the keys to check it with, and proves nothing. */
async function claimedIssuer(token: string): Promise<string | undefined> {
  const { decodeJwt } = await import('jose');
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
