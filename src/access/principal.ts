import type { Plan, Scope } from '../contract/index.ts';

/** How an account proved who it is. A session is a person at a browser; the others are API access. */
export type Credential = 'key' | 'oauth' | 'session';

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
  /** Id of the key, token or session that was presented. */
  readonly credentialId: string;
  /** When that credential stops working; null: when it is revoked. */
  readonly credentialExpiresAt: Date | null;
  /** What an access token stands on, and keys that were made with it: a grant, or a link to an outside issuer. */
  readonly standsOn?: string;
  readonly scopes: readonly Scope[];
}

/** Who is asking. */
export type Principal = Anonymous | Guest | Account;

export const ANONYMOUS: Anonymous = Object.freeze({ kind: 'anonymous' });

/** Only a verified address makes the administrator flag count: anyone can type somebody else's. */
export function isAdministrator(principal: Principal): boolean {
  return principal.kind === 'account' && principal.administrator && principal.emailVerified;
}

/** Bearer access is for paid plans and verified administrators; the console serves every plan. */
export function mayUseApi(account: Account): boolean {
  return account.credential === 'session' || account.plan !== 'free' || isAdministrator(account);
}
