import type { ColumnType, Generated } from 'kysely';
import type { Plan, Scope, SecurityEventKind } from '../contract/index.ts';

export interface AccountTable {
  id: string;
  email: string;
  email_verified: boolean;
  /** When a mail to the address was rejected permanently; null again once the address is verified again. */
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
  /** The key that created this one, if a key did. */
  made_by: string | null;
  /** The grant or the link to an external issuer behind the token that created this key or its creator. */
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
  /** Accurate to five minutes. A session that is unused for too long ends before it expires. */
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
  /** The account of the link. A sign-up has none yet; the account of a reset is looked up when its mail is sent. */
  account_id: string | null;
  /** The password chosen at sign-up, until the link is used. */
  password_hash: string | null;
  /** How many passwords were tried to confirm a sign-up. */
  password_tries: number;
  return_to: string | null;
  /** The network that requested the link. */
  network: string | null;
  user_agent: string | null;
  /** Null until the mail is sent: the secret is generated for the mail and stored nowhere else. */
  secret_hash: string | null;
  created_at: Date;
  expires_at: Date;
  /** When the mail was last passed to the mail server. */
  sent_at: Date | null;
  used_at: Date | null;
}

export type LinkKind = 'sign_up' | 'verify_email' | 'reset_password';

export interface SecurityEventTable {
  id: string;
  /** Orders events within a millisecond. */
  sequence: Generated<number>;
  account_id: string;
  kind: SecurityEventKind;
  at: Date;
  network: string | null;
  user_agent: string | null;
  details: Record<string, string>;
}

export interface ExternalIdentityTable {
  /** The id of this link: linking the same subject again creates another. */
  id: string;
  issuer: string;
  /** The issuer's identifier of the person. */
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
  outside_identity: ExternalIdentityTable;
}
