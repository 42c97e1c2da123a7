import type { Command } from '../command.ts';
import { runOperation } from '../run-operation.ts';

export const keyCommands: Command[] = [
  {
    words: 'key create',
    usage: 'EMAIL [--scopes a,b] [--name NAME] [--expires 2027-01-31T00:00:00Z] [--service]',
    help: 'make an API key with all scopes or those named; the key is printed once',
    positionals: 1,
    options: {
      scopes: { type: 'string' },
      name: { type: 'string' },
      expires: { type: 'string' },
      service: { type: 'boolean' },
    },
    run(config, [email], { scopes, ...rest }) {
      const list = typeof scopes === 'string' ? { scopes: scopes.split(',').map((scope) => scope.trim()) } : {};
      return runOperation(config, 'key create', { email, ...list, ...rest });
    },
  },
  {
    words: 'key revoke',
    usage: 'KEY_ID',
    help: 'end an API key at once',
    positionals: 1,
    options: {},
    run: (config, [id]) => runOperation(config, 'key revoke', { id }),
  },
];
