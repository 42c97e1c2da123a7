import { z } from 'zod';
import { name, SCOPES, timestamp } from '../../contract/index.ts';
import { adminCommand } from '../command.ts';
import { apiKeyNotFound } from '../faults.ts';

const loadIdentity = () => import('../../identity/index.ts');

export const keyCommands = [
  adminCommand({
    name: 'key create',
    arguments: [{ name: 'EMAIL' }],
    options: {
      scopes: {
        type: 'string',
        value: 'A,B',
        format: 'list',
        default: 'every scope',
        help: 'the scopes, separated by commas',
      },
      name: { type: 'string', value: 'NAME', default: 'command line', help: 'the name of the key in lists' },
      expires: {
        type: 'string',
        value: 'TIMESTAMP',
        format: 'timestamp',
        default: 'never',
        help: 'when the key expires',
      },
      service: { type: 'boolean', help: 'create a service key (alm_svc_) instead of a personal one' },
    },
    summary: 'Creates an API key; the key is printed once.',
    example: 'key create ada@example.org --scopes account:read,datasets:read --expires 2027-01-31T00:00:00Z',
    input: z.strictObject({
      email: z.string(),
      scopes: z.array(z.enum(SCOPES)).min(1).optional(),
      name: name({ max: 100 }).optional(),
      expires: timestamp().optional(),
      service: z.boolean().optional(),
    }),
    readInput([email], { scopes, ...values }) {
      const list = typeof scopes === 'string' ? { scopes: scopes.split(',').map((scope) => scope.trim()) } : {};
      return { email, ...list, ...values };
    },
    async execute({ identity, database }, { email, scopes, name, expires, service }) {
      const { createApiKey, requireAccount } = await loadIdentity();
      const account = await requireAccount(database, email);
      const { id, key } = await createApiKey(identity, {
        accountId: account.id,
        name: name ?? 'command line',
        scopes: scopes ?? SCOPES,
        kind: service ? 'service' : 'personal',
        expiresAt: expires === undefined ? null : new Date(expires),
      });
      return { id, key };
    },
  }),
  adminCommand({
    name: 'key list',
    arguments: [{ name: 'EMAIL' }],
    options: {},
    summary: 'Lists the live API keys of an account, newest first, without their secrets.',
    example: 'key list ada@example.org',
    input: z.strictObject({ email: z.string() }),
    readInput: ([email]) => ({ email }),
    async execute({ identity, database }, { email }) {
      const { listApiKeys, requireAccount } = await loadIdentity();
      const account = await requireAccount(database, email);
      return { email: account.email, keys: await listApiKeys(identity, account.id) };
    },
  }),
  adminCommand({
    name: 'key revoke',
    arguments: [{ name: 'KEY_ID' }],
    options: {},
    summary: 'Revokes an API key, and the keys created with it, immediately.',
    example: 'key revoke key_01M7EH8YRQ0VWSJJ7RMGZZC00D',
    input: z.strictObject({ id: z.string() }),
    readInput: ([id]) => ({ id }),
    async execute({ identity }, { id }) {
      const { revokeApiKey } = await loadIdentity();
      if (!(await revokeApiKey(identity, { keyId: id }))) throw apiKeyNotFound(id);
      return { id, removed: true };
    },
  }),
];
