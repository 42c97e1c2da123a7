import { z } from 'zod';
import { identifier, instant, timestamp } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { SCOPES } from './vocabulary.ts';

/** Maximum number of active keys per account, so that a faulty script cannot create an unlimited number. */
export const MAX_API_KEYS = 100;

const fields = {
  id: z.string(),
  name: z.string(),
  hint: z.string().describe('The first characters of the key, by which its owner can recognize it.'),
  kind: z.enum(['personal', 'service']),
  scopes: z.array(z.enum(SCOPES)),
  created_at: instant(),
  expires_at: instant().nullable(),
  last_used_at: instant().nullable().describe('Accurate to five minutes.'),
};

export const ApiKey = z.strictObject(fields).meta({ id: 'ApiKey' });
export const NewApiKey = z.strictObject({ ...fields, key: z.string() }).meta({ id: 'NewApiKey' });

const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .refine((list) => new Set(list).size === list.length, { error: 'must not contain a scope twice' });

export const keyOperations = {
  listApiKeys: operation({
    group: 'Keys',
    method: 'GET',
    path: '/v1/me/api-keys',
    action: 'keys.read',
    summary: 'List API keys',
    description:
      'Lists the account’s keys that are neither revoked nor expired, newest first. Only the hint of each key is shown.',
    status: 200,
    reply: resource(z.strictObject({ api_keys: z.array(ApiKey) })),
  }),
  createApiKey: operation({
    group: 'Keys',
    method: 'POST',
    path: '/v1/me/api-keys',
    action: 'keys.write',
    summary: 'Create an API key',
    description:
      'Returns the key, which is not shown again. Without `scopes`, the key gets all scopes of the caller’s credential. A key created with another key can have only scopes of that key, expires no later than that key, and is revoked together with it.',
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
      'Takes effect immediately, for the key and for every key created with it. An API key can revoke itself, and other keys if it has all of their scopes.',
    params: z.strictObject({ key_id: identifier() }),
    status: 200,
    reply: resource(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['NOT_FOUND'],
  }),
};
