import type { JsonWebKey } from 'node:crypto';
import type { IdentityTables } from '../tables.ts';

/** An application that may ask people to let it act for them. */
export interface OAuthClientTable {
  id: string;
  name: string;
  uri: string | null;
  redirect_uris: string[];
  /** Null: a public client, which can keep no secret. */
  secret_hash: string | null;
  created_at: Date;
}

/** One thing that the provider keeps: a code, a refresh token, a grant, a session of its own, a question to a person. */
export interface OAuthRecordTable {
  model: string;
  /** A hash where whoever has the id could use the record. */
  id: string;
  payload: Record<string, unknown>;
  /** The grant that it belongs to; a grant belongs to itself. All of them together are a family. */
  grant_id: string | null;
  uid: string | null;
  account_id: string | null;
  client_id: string | null;
  created_at: Date;
  expires_at: Date;
  consumed_at: Date | null;
  last_used_at: Date | null;
}

/** A key that tokens are signed with. The one with the highest number signs; those before still verify. */
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
