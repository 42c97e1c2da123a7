import { z } from 'zod';
import { identifier, instant, timestamp } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { SCOPES } from './vocabulary.ts';

/** A bound on live keys keeps a runaway script from filling an account. */
export const MAX_API_KEYS = 100;

const fields = {
  id: z.string(),
  name: z.string(),
  /** The first characters of the key: enough to recognise it, useless to anyone else. */
  hint: z.string(),
  kind: z.enum(['personal', 'service']),
  scopes: z.array(z.enum(SCOPES)),
  created_at: instant(),
  expires_at: instant().nullable(),
  /** Kept to five minutes: a key used in the last minutes may still show the time before. */
  last_used_at: instant().nullable(),
};

export const ApiKey = z.strictObject(fields).meta({ id: 'ApiKey' });
export const NewApiKey = z.strictObject({ ...fields, key: z.string() }).meta({ id: 'NewApiKey' });

const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name a scope twice' });

export const keyOperations = {
  listApiKeys: operation({
    group: 'Keys',
    method: 'GET',
    path: '/v1/me/api-keys',
    action: 'keys.read',
    summary: 'The caller’s API keys',
    description: 'Keys that are neither revoked nor expired, newest first. The secret itself is never shown again.',
    status: 200,
    reply: resource(z.strictObject({ api_keys: z.array(ApiKey) })),
  }),
  createApiKey: operation({
    group: 'Keys',
    method: 'POST',
    path: '/v1/me/api-keys',
    action: 'keys.write',
    summary: 'Make an API key',
    description:
      'The key is in this response and nowhere else. A key made with a key can have no scope and no life that the first has not, and is revoked with it. Without `scopes` it gets all that the caller has.',
    body: z.strictObject({
      name: name({ max: 100 }),
      scopes: scopes.optional(),
      expires_at: timestamp().optional(),
    }),
    status: 201,
    reply: resource(NewApiKey),
    errors: ['LIMIT_REACHED'],
  }),
  revokeApiKey: operation({
    group: 'Keys',
    method: 'DELETE',
    path: '/v1/me/api-keys/{key_id}',
    action: 'keys.write',
    summary: 'Revoke an API key',
    description:
      'Effective at once, in every process, for the key and for every key that was made with it. A key can revoke itself and keys that carry no scope beyond its own.',
    params: z.strictObject({ key_id: identifier() }),
    status: 200,
    reply: resource(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['NOT_FOUND'],
  }),
};
