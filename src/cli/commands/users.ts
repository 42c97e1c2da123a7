import type { Command } from '../command.ts';
import { readPassword } from '../read-password.ts';
import { runOperation } from '../run-operation.ts';

export const userCommands: Command[] = [
  {
    words: 'user create',
    usage: 'EMAIL [--plan free|pro|enterprise] [--administrator] [--verified] [--password P|-]',
    help: 'make an account; --password - reads the password from standard input',
    positionals: 1,
    options: {
      plan: { type: 'string' },
      administrator: { type: 'boolean' },
      verified: { type: 'boolean' },
      password: { type: 'string' },
    },
    async run(config, [email], { password, ...values }) {
      const chosen = typeof password === 'string' ? { password: await readPassword(password) } : {};
      return runOperation(config, 'user create', { email, ...values, ...chosen });
    },
  },
  {
    words: 'user plan',
    usage: 'EMAIL free|pro|enterprise',
    help: 'put an account on another plan',
    positionals: 2,
    options: {},
    run: (config, [email, plan]) => runOperation(config, 'user plan', { email, plan }),
  },
  {
    words: 'user verify',
    usage: 'EMAIL',
    help: 'take the e-mail address of an account as verified',
    positionals: 1,
    options: {},
    run: (config, [email]) => runOperation(config, 'user verify', { email }),
  },
  {
    words: 'user password',
    usage: 'EMAIL PASSWORD|-',
    help: 'give an account a new password (- reads it from standard input) and sign all its browsers out',
    positionals: 2,
    options: {},
    run: async (config, [email, password = '']) =>
      runOperation(config, 'user password', { email, password: await readPassword(password) }),
  },
  {
    words: 'user unlink',
    usage: 'EMAIL ISSUER',
    help: 'forget whom of an outside issuer the account belongs to; their next token links it anew',
    positionals: 2,
    options: {},
    run: (config, [email, issuer]) => runOperation(config, 'user unlink', { email, issuer }),
  },
];
