import { z } from 'zod';
import { adminCommand } from '../command.ts';
import { clientNotFound } from '../faults.ts';

const MAX_REDIRECT_URIS = 20;

const loadIdentity = () => import('../../identity/index.ts');

export const clientCommands = [
  adminCommand({
    name: 'client create',
    arguments: [{ name: 'NAME' }],
    options: {
      'redirect-uri': {
        type: 'string',
        value: 'URI',
        format: 'URI',
        isRepeatable: true,
        default: 'at least one',
        help: 'a URI to which browsers may be redirected after the sign-in',
      },
      confidential: { type: 'boolean', help: 'issue a secret, which is printed once' },
      uri: { type: 'string', value: 'URL', format: 'URL', help: 'the home page of the application' },
    },
    summary: 'Registers an OAuth client.',
    example: 'client create Notebook --redirect-uri http://127.0.0.1/callback',
    input: z.strictObject({
      name: z.string(),
      redirect_uris: z
        .array(z.string())
        .min(1, 'give at least one --redirect-uri')
        .max(MAX_REDIRECT_URIS, `give at most ${MAX_REDIRECT_URIS}`),
      confidential: z.boolean().optional(),
      uri: z.string().optional(),
    }),
    readInput: ([name], { 'redirect-uri': uris = [], ...values }) => ({ name, redirect_uris: uris, ...values }),
    execute: async ({ identity }, { redirect_uris: redirectUris, ...client }) =>
      (await loadIdentity()).createClient(identity, { ...client, redirectUris }),
  }),
  adminCommand({
    name: 'client list',
    arguments: [],
    options: {},
    summary: 'Lists the OAuth clients.',
    example: 'client list',
    input: z.strictObject({}),
    readInput: () => ({}),
    execute: async ({ identity }) => ({ clients: await (await loadIdentity()).listClients(identity) }),
  }),
  adminCommand({
    name: 'client remove',
    arguments: [{ name: 'CLIENT_ID' }],
    options: {},
    summary: 'Removes an OAuth client and revokes every grant to it immediately.',
    example: 'client remove app_01M7FW0H7KDB0C4TJS8R87G6TR',
    input: z.strictObject({ id: z.string() }),
    readInput: ([id]) => ({ id }),
    async execute({ identity }, { id }) {
      const { removeClient } = await loadIdentity();
      if (!(await removeClient(identity, id))) throw clientNotFound(id);
      return { id, removed: true };
    },
  }),
  adminCommand({
    name: 'client rotate-key',
    arguments: [],
    options: {},
    summary: 'Creates a new signing key; tokens signed with the old key stay valid until they expire.',
    example: 'client rotate-key',
    input: z.strictObject({}),
    readInput: () => ({}),
    execute: async ({ identity }) => ({ kid: await (await loadIdentity()).rotateSigningKey(identity) }),
  }),
];
