import type { Command } from '../command.ts';
import { runOperation } from '../run-operation.ts';

export const clientCommands: Command[] = [
  {
    words: 'client create',
    usage: 'NAME --redirect-uri URI [--redirect-uri URI] [--confidential] [--uri HOME_PAGE]',
    help: 'make an OAuth client known; a confidential one gets a secret, which is printed once',
    positionals: 1,
    options: {
      'redirect-uri': { type: 'string', multiple: true },
      confidential: { type: 'boolean' },
      uri: { type: 'string' },
    },
    run: (config, [name], { 'redirect-uri': uris = [], ...values }) =>
      runOperation(config, 'client create', { name, redirect_uris: uris, ...values }),
  },
  {
    words: 'client list',
    usage: '',
    help: 'show the OAuth clients',
    positionals: 0,
    options: {},
    run: (config) => runOperation(config, 'client list', {}),
  },
  {
    words: 'client remove',
    usage: 'CLIENT_ID',
    help: 'remove an OAuth client with all that people have granted to it, at once',
    positionals: 1,
    options: {},
    run: (config, [id]) => runOperation(config, 'client remove', { id }),
  },
  {
    words: 'client rotate-key',
    usage: '',
    help: 'sign tokens with a new key; those of the old one stay good until they expire',
    positionals: 0,
    options: {},
    run: (config) => runOperation(config, 'client rotate-key', {}),
  },
];
