import type { Plan, Scope } from '../contract/index.ts';

/**
 * How an account authenticated. `session` is a browser session, `feed` the URL of a feed; the others are Bearer
 * credentials.
 */
export type Credential = 'key' | 'oauth' | 'session' | 'feed';

export interface Anonymous {
  readonly kind: 'anonymous';
}

export interface Guest {
  readonly kind: 'guest';
  readonly guestId: string;
}

export interface Account {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly plan: Plan;
  readonly administrator: boolean;
  readonly credential: Credential;
  /** The id of the key, token or session in the request. */
  readonly credentialId: string;
  /** When the credential expires; null if it works until it is revoked. */
  readonly credentialExpiresAt: Date | null;
  /**
   * The grant, or the link to an external issuer, that a token depends on. Without it, the token and the keys created
   * with the token are invalid.
   */
  readonly dependsOn?: string;
  readonly scopes: readonly Scope[];
}

/** The caller after authentication. */
export type Principal = Anonymous | Guest | Account;

export const ANONYMOUS: Anonymous = Object.freeze({ kind: 'anonymous' });

/** Returns whether the caller is an administrator with a verified address. */
export function isAdministrator(principal: Principal): boolean {
  return principal.kind === 'account' && principal.administrator && principal.emailVerified;
}

/** Returns the id of the caller's account; undefined for guests and callers without credentials. */
export function accountIdOf(principal: Principal): string | undefined {
  return principal.kind === 'account' ? principal.accountId : undefined;
}

/**
 * Returns whether an account may use the API. Bearer credentials and feeds need a paid plan or a verified administrator.
 */
export function canUseApi(account: Account): boolean {
  return account.credential === 'session' || account.plan !== 'free' || isAdministrator(account);
}
