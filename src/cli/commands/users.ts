import { z } from 'zod';
import { email, PLANS } from '../../contract/index.ts';
import { adminCommand, type Terminal, UsageError } from '../command.ts';
import { identityNotLinked } from '../faults.ts';

const loadIdentity = () => import('../../identity/index.ts');

const EMAIL = { name: 'EMAIL' };

export const userCommands = [
  adminCommand({
    name: 'user list',
    arguments: [],
    options: {},
    summary: 'Lists the accounts, oldest first.',
    example: 'user list',
    input: z.strictObject({}),
    readInput: () => ({}),
    execute: async ({ identity }) => ({ accounts: await (await loadIdentity()).listAccounts(identity) }),
  }),
  adminCommand({
    name: 'user create',
    arguments: [EMAIL],
    options: {
      plan: { type: 'string', value: 'PLAN', default: 'free', help: `the plan: ${PLANS.join(', ')}` },
      administrator: { type: 'boolean', help: 'make the account an administrator' },
      verified: { type: 'boolean', help: 'mark the email address as verified' },
      password: {
        type: 'string',
        value: 'PASSWORD',
        default: 'no password',
        help: 'the password; better "-", which reads it from standard input',
      },
    },
    summary: 'Creates an account.',
    example: 'user create ada@example.org --plan pro --verified',
    input: z.strictObject({
      email: email(),
      plan: z.enum(PLANS).optional(),
      administrator: z.boolean().optional(),
      verified: z.boolean().optional(),
      password: z.string().optional(),
    }),
    async readInput([email], { password, ...values }, { stdin }) {
      const chosen = typeof password === 'string' ? { password: await readPassword(password, stdin) } : {};
      return { email, ...values, ...chosen };
    },
    execute: async ({ identity }, input) => (await loadIdentity()).createAccount(identity, input),
  }),
  adminCommand({
    name: 'user plan',
    arguments: [EMAIL, { name: 'PLAN' }],
    options: {},
    summary: `Changes the plan of an account (${PLANS.join(', ')}).`,
    example: 'user plan ada@example.org enterprise',
    input: z.strictObject({ email: z.string(), plan: z.enum(PLANS) }),
    readInput: ([email, plan]) => ({ email, plan }),
    execute: async ({ identity }, { email, plan }) => (await loadIdentity()).changePlan(identity, email, plan),
  }),
  adminCommand({
    name: 'user administrator',
    arguments: [EMAIL, { name: 'on|off' }],
    options: {},
    summary:
      'Makes an account an administrator, which counts once its email address is verified, or an ordinary account again.',
    example: 'user administrator ada@example.org on',
    input: z.strictObject({
      email: z.string(),
      administrator: z.enum(['on', 'off'], { error: 'must be on or off' }),
    }),
    readInput: ([email, administrator]) => ({ email, administrator }),
    execute: async ({ identity }, { email, administrator }) =>
      (await loadIdentity()).changeAdministrator(identity, email, administrator === 'on'),
  }),
  adminCommand({
    name: 'user lock',
    arguments: [EMAIL],
    options: {},
    summary: [
      'Locks an account: none of its credentials and feeds works, it gets no emails, and its unfinished forecasts end.',
      'Nothing is deleted; "user unlock" undoes it.',
    ].join(' '),
    example: 'user lock ada@example.org',
    input: z.strictObject({ email: z.string() }),
    readInput: ([email]) => ({ email }),
    async execute(foundation, { email }) {
      const { lockAccountWithForecasts } = await import('../../compose/index.ts');
      return lockAccountWithForecasts(foundation, email);
    },
  }),
  adminCommand({
    name: 'user unlock',
    arguments: [EMAIL],
    options: {},
    summary: 'Unlocks an account; its credentials and feeds work again.',
    example: 'user unlock ada@example.org',
    input: z.strictObject({ email: z.string() }),
    readInput: ([email]) => ({ email }),
    execute: async ({ identity }, { email }) => (await loadIdentity()).changeLock(identity, email, false),
  }),
  adminCommand({
    name: 'user verify',
    arguments: [EMAIL],
    options: {},
    summary: 'Marks the email address of an account as verified.',
    example: 'user verify ada@example.org',
    input: z.strictObject({ email: z.string() }),
    readInput: ([email]) => ({ email }),
    execute: async ({ identity }, { email }) => (await loadIdentity()).markVerified(identity, email),
  }),
  adminCommand({
    name: 'user password',
    arguments: [EMAIL, { name: 'PASSWORD', isOptional: true }],
    options: {},
    summary: 'Changes the password of an account, which is read from standard input, and signs out its browsers.',
    example: 'user password ada@example.org < password.txt',
    input: z.strictObject({ email: z.string(), password: z.string() }),
    readInput: async ([email, password = FROM_STANDARD_INPUT], _values, { stdin }) => ({
      email,
      password: await readPassword(password, stdin),
    }),
    execute: async ({ identity }, { email, password }) => (await loadIdentity()).setPassword(identity, email, password),
  }),
  adminCommand({
    name: 'user unlink',
    arguments: [EMAIL, { name: 'ISSUER' }],
    options: {},
    summary: 'Unlinks an account from an external issuer; the next token with its address links it again.',
    example: 'user unlink ada@example.org https://login.example',
    input: z.strictObject({ email: z.string(), issuer: z.string() }),
    readInput: ([email, issuer]) => ({ email, issuer }),
    async execute({ identity, database }, { email, issuer }) {
      const { requireAccount, unlinkIdentity } = await loadIdentity();
      const account = await requireAccount(database, email);
      if (await unlinkIdentity(identity, account.id, issuer)) return { email: account.email, issuer, removed: true };
      throw identityNotLinked(account.email, issuer);
    },
  }),
  adminCommand({
    name: 'user remove',
    arguments: [EMAIL],
    options: {},
    summary: [
      'Removes an account with everything that belongs to it, and prints the counts; this cannot be undone.',
      'Refused while the account owns a workspace with other members.',
      'What it shared in workspaces of others stays there and belongs to their owners.',
      'The last administrator can be removed; "user administrator" makes another.',
    ].join(' '),
    example: 'user remove ada@example.org',
    input: z.strictObject({ email: z.string() }),
    readInput: ([email]) => ({ email }),
    async execute(foundation, { email }) {
      const { removeAccountWithContents } = await import('../../compose/index.ts');
      return removeAccountWithContents(foundation, email);
    },
  }),
];

/** Stands for standard input. Other users of the machine could read a password that is given as an argument. */
const FROM_STANDARD_INPUT = '-';

/** Maximum number of bytes to read. No password is this long. */
const MAX_PASSWORD_BYTES = 8_192;

/** Returns the argument or, if it is "-", the only line of standard input. */
export async function readPassword(argument: string, input: Terminal['stdin']): Promise<string> {
  if (argument !== FROM_STANDARD_INPUT) return argument;
  // A terminal would show the password while it is typed.
  if (input.isTTY) throw new UsageError('The password is read from standard input: pipe it or redirect a file.');
  const line = (await readText(input)).replace(/\r?\n$/, '');
  if (line === '' || /[\r\n]/.test(line)) throw new UsageError('Standard input must be one line: the password.');
  return line;
}

async function readText(input: Terminal['stdin']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    length += chunk.length;
    if (length > MAX_PASSWORD_BYTES) throw new UsageError('Standard input is longer than a password can be.');
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('Standard input must be UTF-8 text.');
  }
}
