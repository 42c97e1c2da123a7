import { z } from 'zod';
import { Fault } from '../../contract/index.ts';
import { createClient, listClients, removeClient, rotateSigningKey } from '../../identity/index.ts';
import { adminOperation } from './operation.ts';

export const clientOperations = {
  'client create': adminOperation({
    input: z.strictObject({
      name: z.string(),
      redirect_uris: z.array(z.string()).min(1, 'give at least one --redirect-uri').max(20, 'at most 20 can be given'),
      confidential: z.boolean().optional(),
      uri: z.string().optional(),
    }),
    run: ({ identity }, { redirect_uris: redirectUris, ...client }) =>
      createClient(identity, { ...client, redirectUris }),
  }),
  'client list': adminOperation({
    input: z.strictObject({}),
    run: async ({ identity }) => ({ clients: await listClients(identity) }),
  }),
  'client remove': adminOperation({
    input: z.strictObject({ id: z.string() }),
    async run({ identity }, { id }) {
      if (!(await removeClient(identity, id))) throw new Fault('NOT_FOUND', `No client ${id}.`);
      return { id, removed: true };
    },
  }),
  'client rotate-key': adminOperation({
    input: z.strictObject({}),
    run: async ({ identity }) => ({ kid: await rotateSigningKey(identity) }),
  }),
};
