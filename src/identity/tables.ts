import type { Plan, Scope } from '../contract/index.ts';

export interface AccountTable {
  id: string;
  email: string;
  email_verified: boolean;
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
}

export interface GuestSessionTable {
  id: string;
  secret_hash: string;
  created_at: Date;
  expires_at: Date;
}

export interface IdentityTables {
  account: AccountTable;
  api_key: ApiKeyTable;
  browser_session: BrowserSessionTable;
  guest_session: GuestSessionTable;
}
