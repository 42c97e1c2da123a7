import { z } from 'zod';
import { Fault, name, SCOPES, timestamp } from '../../contract/index.ts';
import { createApiKey, requireAccount, revokeApiKey } from '../../identity/index.ts';
import { adminOperation } from './operation.ts';

export const keyOperations = {
  'key create': adminOperation({
    input: z.strictObject({
      email: z.string(),
      scopes: z.array(z.enum(SCOPES)).min(1).optional(),
      name: name({ max: 100 }).optional(),
      expires: timestamp().optional(),
      service: z.boolean().optional(),
    }),
    async run({ identity, database }, input) {
      const account = await requireAccount(database, input.email);
      const { id, key } = await createApiKey(identity, {
        accountId: account.id,
        name: input.name ?? 'command line',
        scopes: input.scopes ?? SCOPES,
        kind: input.service ? 'service' : 'personal',
        expiresAt: input.expires === undefined ? null : new Date(input.expires),
      });
      return { id, key };
    },
  }),
  'key revoke': adminOperation({
    input: z.strictObject({ id: z.string() }),
    async run({ identity }, { id }) {
      if (!(await revokeApiKey(identity, { keyId: id }))) throw new Fault('NOT_FOUND', `No live API key ${id}.`);
      return { id, removed: true };
    },
  }),
};
