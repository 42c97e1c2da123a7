import type { ColumnType, Generated } from 'kysely';
import type { Plan, Scope, SecurityEventKind } from '../contract/index.ts';

export interface AccountTable {
  id: string;
  email: string;
  email_verified: boolean;
  /** When a mail to it came back for good; null again once it is verified anew. */
  bounced_at: ColumnType<Date | null, Date | null | undefined>;
  password_hash: string | null;
  plan: Plan;
  administrator: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  kind: 'personal' | 'service';
  name: string;
  hint: string;
  /** The key with which it was made, if one was. */
  made_by: string | null;
  /** The grant or the link to an outside issuer on which the token stood that made it, or made its maker. */
  made_under: string | null;
  secret_hash: string;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export interface BrowserSessionTable {
  id: string;
  account_id: string;
  secret_hash: string;
  user_agent: string | null;
  created_at: Date;
  expires_at: Date;
  /** Kept to five minutes. A session that was left alone for long ends before it expires. */
  last_used_at: Date;
}

export interface GuestSessionTable {
  id: string;
  secret_hash: string;
  created_at: Date;
  expires_at: Date;
}

export interface AccountLinkTable {
  id: string;
  kind: LinkKind;
  email: string;
  /** The account it is about. A sign-up has none yet; that of a reset is looked up when its mail is sent. */
  account_id: string | null;
  /** The password that somebody chose at sign-up, until the link is used. */
  password_hash: string | null;
  /** How often somebody tried to confirm a sign-up with a password. */
  password_tries: number;
  return_to: string | null;
  /** Where it was asked for. */
  network: string | null;
  user_agent: string | null;
  /** Null until the mail is sent: the secret is made for the mail, and is nowhere else. */
  secret_hash: string | null;
  created_at: Date;
  expires_at: Date;
  /** When the mail was last handed to the mail server. */
  sent_at: Date | null;
  used_at: Date | null;
}

export type LinkKind = 'sign_up' | 'verify_email' | 'reset_password';

export interface SecurityEventTable {
  id: string;
  /** Tells what came first within a millisecond. */
  sequence: Generated<number>;
  account_id: string;
  kind: SecurityEventKind;
  at: Date;
  network: string | null;
  user_agent: string | null;
  details: Record<string, string>;
}

export interface OutsideIdentityTable {
  /** Of this link: the same person linked anew has another. */
  id: string;
  issuer: string;
  /** The issuer's own name for the person. */
  subject: string;
  account_id: string;
  linked_at: Date;
  last_used_at: Date;
}

export interface IdentityTables {
  account_link: AccountLinkTable;
  security_event: SecurityEventTable;
  account: AccountTable;
  api_key: ApiKeyTable;
  browser_session: BrowserSessionTable;
  guest_session: GuestSessionTable;
  outside_identity: OutsideIdentityTable;
}
