import { z } from 'zod';
import { adminCommand, JSON_OPTION } from '../command.ts';
import { formatColumns } from '../help.ts';
import { ROTATABLE_KINDS } from '../secrets/kinds.ts';
import type { SecretRow } from '../secrets/list-secrets.ts';

export const secretCommands = [
  adminCommand({
    name: 'secret list',
    arguments: [],
    options: JSON_OPTION,
    summary: 'Lists the secrets of the installation: what each protects, where it is, its age and how to rotate it.',
    example: 'secret list',
    input: z.strictObject({}),
    readInput: () => ({}),
    async execute(foundation) {
      const { listSecrets } = await import('../secrets/list-secrets.ts');
      return { secrets: await listSecrets(foundation, process.env) };
    },
    formatResult: (result) => formatSecrets((result as { secrets: readonly SecretRow[] }).secrets),
  }),
  adminCommand({
    name: 'secret rotate',
    arguments: [
      { name: 'KIND', choices: ROTATABLE_KINDS },
      { name: 'TARGET', isOptional: true },
    ],
    options: { now: { type: 'boolean', help: 'withdraw the earlier secret at once, in an emergency' } },
    summary: [
      'Replaces a secret that the service owns, while it runs; the earlier one is accepted for a while.',
      'TARGET is the id of a webhook, or the email address of the account that pays for webhooks.',
    ].join(' '),
    example: 'secret rotate cursors',
    input: z.strictObject({
      kind: z.enum(ROTATABLE_KINDS, { error: `must be one of ${ROTATABLE_KINDS.join(', ')}` }),
      target: z.string().optional(),
      now: z.boolean().optional(),
    }),
    readInput: ([kind, target], values) => ({ kind, ...(target !== undefined && { target }), ...values }),
    async execute(foundation, input) {
      const { rotateSecret } = await import('../secrets/rotate-secret.ts');
      return rotateSecret(foundation, input);
    },
  }),
];

function formatSecrets(rows: readonly SecretRow[]): string {
  const lines = rows.map(({ kind, protects, place, since, earlier_until: earlier, rotate }) => [
    kind,
    protects,
    place,
    since?.slice(0, 10) ?? '',
    earlier.map((until) => until.slice(0, 10)).join(' '),
    rotate,
  ]);
  return `${formatColumns([['SECRET', 'PROTECTS', 'PLACE', 'SINCE', 'EARLIER UNTIL', 'ROTATE'], ...lines], '')}\n`;
}
