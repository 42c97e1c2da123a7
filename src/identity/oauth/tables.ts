import type { JsonWebKey } from 'node:crypto';
import type { IdentityTables } from '../tables.ts';

/** An application that can request access to accounts. */
export interface OAuthClientTable {
  id: string;
  name: string;
  uri: string | null;
  redirect_uris: string[];
  /** Null for a public client, which cannot keep a secret. */
  secret_hash: string | null;
  created_at: Date;
}

/** One record of the provider: a code, a refresh token, a grant, a provider session or an interaction. */
export interface OAuthRecordTable {
  model: string;
  /** A hash of the id. The id of a grant is not a secret and is stored unchanged. */
  id: string;
  payload: Record<string, unknown>;
  /** The grant that the record belongs to; a grant belongs to itself. */
  grant_id: string | null;
  uid: string | null;
  account_id: string | null;
  client_id: string | null;
  created_at: Date;
  expires_at: Date;
  consumed_at: Date | null;
  last_used_at: Date | null;
  /** The network that an interaction came from; null for other models. */
  network: string | null;
}

/** A signing key. The key with the highest number signs; tokens of earlier keys are still accepted. */
export interface OAuthKeyTable {
  number: number;
  kid: string;
  private_jwk: JsonWebKey;
  created_at: Date;
}

export interface OAuthTables extends IdentityTables {
  oauth_client: OAuthClientTable;
  oauth_record: OAuthRecordTable;
  oauth_key: OAuthKeyTable;
}
