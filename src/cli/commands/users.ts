import type { Command } from '../command.ts';
import { runOperation } from '../run-operation.ts';

export const userCommands: Command[] = [
  {
    words: 'user create',
    usage: 'EMAIL [--plan free|pro|enterprise] [--administrator] [--verified] [--password P]',
    help: 'make an account',
    positionals: 1,
    options: {
      plan: { type: 'string' },
      administrator: { type: 'boolean' },
      verified: { type: 'boolean' },
      password: { type: 'string' },
    },
    run: (config, [email], values) => runOperation(config, 'user create', { email, ...values }),
  },
  {
    words: 'user plan',
    usage: 'EMAIL free|pro|enterprise',
    help: 'put an account on another plan',
    positionals: 2,
    options: {},
    run: (config, [email, plan]) => runOperation(config, 'user plan', { email, plan }),
  },
];
