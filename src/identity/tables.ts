import type { ColumnType, Generated } from 'kysely';
import type { Plan, Scope, SecurityEventKind } from '../contract/index.ts';

export interface AccountTable {
  id: string;
  email: string;
  email_verified: boolean;
  /** When an email to the address was rejected permanently; null if none was since the address was last verified. */
  bounced_at: ColumnType<Date | null, Date | null | undefined>;
  password_hash: string | null;
  plan: Plan;
  administrator: boolean;
  /** When the account was locked; null if it is not. No credential of a locked account works. */
  locked_at: ColumnType<Date | null, Date | null | undefined>;
  created_at: Date;
  updated_at: Date;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  kind: 'personal' | 'service';
  name: string;
  hint: string;
  /** The key with which this key was created, if any. */
  made_by: string | null;
  /** The grant, or the link to an external issuer, of the token with which this key or its parent was created. */
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
  /** Accurate to five minutes. A session that is unused for too long ends before `expires_at`. */
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
  /** The account of the link. Null for a sign-up, and for a reset until its email is sent. */
  account_id: string | null;
  /** The hash of the password chosen at sign-up; null once the link is used. */
  password_hash: string | null;
  /** How many passwords were tried to confirm a sign-up. */
  password_tries: number;
  return_to: string | null;
  /** The network that requested the link. */
  network: string | null;
  user_agent: string | null;
  /** Null until the email is sent: the secret is generated for the email, and only its hash is stored. */
  secret_hash: string | null;
  created_at: Date;
  expires_at: Date;
  /** When the email was last sent, or the latest attempt to send it began. */
  sent_at: Date | null;
  used_at: Date | null;
}

export type LinkKind = 'sign_up' | 'verify_email' | 'reset_password';

export interface SecurityEventTable {
  id: string;
  /** Orders the events, even within a millisecond. */
  sequence: Generated<number>;
  account_id: string;
  kind: SecurityEventKind;
  at: Date;
  network: string | null;
  user_agent: string | null;
  details: Record<string, string>;
}

export interface ExternalIdentityTable {
  /** The id of this link. If the same subject is linked again, the link gets another id. */
  id: string;
  issuer: string;
  /** The identifier of the person at the issuer. */
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
