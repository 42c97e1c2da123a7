import { z } from 'zod';
import { adminCommand } from '../command.ts';

export const usageCommands = [
  adminCommand({
    name: 'usage',
    arguments: [{ name: 'EMAIL' }],
    options: {},
    summary: 'Shows the limits of an account and what is left of its credits, slots, requests and storage.',
    example: 'usage ada@example.org',
    input: z.strictObject({ email: z.string() }),
    readInput: ([email]) => ({ email }),
    async execute({ database, clock, config }, { email }) {
      const [{ readRequestUsage }, { openForecastKeys, readPlanUsage }, { readPrincipal, requireAccount }] =
        await Promise.all([
          import('../../api/index.ts'),
          import('../../forecasts/index.ts'),
          import('../../identity/index.ts'),
        ]);
      const { id } = await requireAccount(database, email);
      const account = await readPrincipal(database, id);
      if (account === null) throw new Error(`The account ${id} was removed while the command ran.`);
      const usage = await readPlanUsage(
        { database, clock, storage: config.storage, ...openForecastKeys(database) },
        account,
        null,
      );
      const { limit, left, secondsLeft } = await readRequestUsage({ database, config }, account);
      const resetsAt = secondsLeft === null ? null : new Date(clock.now().getTime() + secondsLeft * 1000);
      return { ...usage, requests: { limit, left, resets_at: resetsAt?.toISOString() ?? null } };
    },
  }),
];
