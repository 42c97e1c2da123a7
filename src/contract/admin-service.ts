import { z } from 'zod';
import { instant } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

const count = (description: string) => z.int().min(0).describe(description);

const ServiceProvider = z.strictObject({
  id: z.string(),
  supplies: z.enum(['market', 'economic']).describe('What the provider supplies: bars, or economic series.'),
  configured: z.boolean().describe('Whether the service uses the provider.'),
  state: z
    .enum(['closed', 'open', 'trial'])
    .describe(
      'State of the circuit breaker: requests are sent (closed), are not sent because the provider failed repeatedly (open), or the next request decides (trial).',
    ),
  last_success_at: instant().nullable().describe('Exact to a minute.'),
  last_failure: z.strictObject({ at: instant(), fault: z.string() }).nullable(),
  requests_left: z
    .int()
    .nullable()
    .describe('Requests that can be sent now without a pause; null for a provider that gets no requests.'),
  listing: z
    .strictObject({ entries: z.int(), refreshed_at: instant().nullable(), error: z.string().nullable() })
    .nullable()
    .describe('The list of instruments or series, as it was last read; null if it was never requested.'),
});

/** The state of the service for operators. It contains nothing about accounts. */
export const ServiceState = z
  .strictObject({
    at: instant().describe('When the state was read.'),
    version: z.string().describe('The version of the service.'),
    node: z.string(),
    database: z.strictObject({
      kind: z.enum(['pglite', 'postgres']),
      bytes: count('Size of the database.'),
      problem: z.string().nullable().describe('Why the service accepts no requests, such as `disk full`, or null.'),
    }),
    accounts: z.strictObject({
      total: count('Number of accounts.'),
      locked: count('Number of locked accounts.'),
      administrators: count('Number of administrators with a verified address that are not locked.'),
    }),
    providers: z.array(ServiceProvider),
    queues: z.array(
      z.strictObject({
        name: z.string(),
        waiting: count('Jobs that are ready to start.'),
        oldest_seconds: z.number().min(0).describe('How long the oldest of them has been ready.'),
        running: count('Jobs that a worker is running.'),
      }),
    ),
    forecast_queues: z
      .array(
        z.strictObject({
          engine: z
            .string()
            .nullable()
            .describe('The version of the engine; null for forecasts of builds that did not name their queue by it.'),
          waiting: count('Forecasts that are ready to start.'),
          oldest_seconds: z.number().min(0).describe('How long the oldest of them has been ready.'),
          workers: count('Processes that take these forecasts.'),
        }),
      )
      .describe('The queue `forecasts` by the version of the engine, for those with forecasts or workers.'),
    worker_seen_at: instant()
      .nullable()
      .describe('When a worker last looked after the queues, which it does every few seconds; null if none ever did.'),
    stamper: z.strictObject({
      kind: z.string().nullable().describe('How proofs are stamped; null if they are not.'),
      pending: count('Proofs that wait to be stamped.'),
      stamping: count('Proofs that are being stamped.'),
      stamped: count('Stamped proofs.'),
      waiting: z.record(z.string(), z.int()).describe('The pending proofs by the reason why they wait.'),
      oldest_unstamped_at: instant().nullable(),
      last_stamped_at: instant().nullable(),
    }),
  })
  .meta({ id: 'ServiceState' });

/** The most errors of each kind that the report lists. */
export const MAX_LEDGER_ERRORS = 100;

const LedgerCheck = z
  .strictObject({
    at: instant(),
    sound: z.boolean().describe('Whether credits and slots add up.'),
    entries: count('Entries of the ledger.'),
    transfers: count('Transfers, each of which consists of entries that add up to zero.'),
    unbalanced: z.array(z.string()).describe('Transfers whose entries do not add up to zero.'),
    open: z.array(z.string()).describe('Forecasts whose credits do not match their status, by their id.'),
    slots: z
      .array(z.strictObject({ owner: z.string(), active: z.int(), expected: z.int() }))
      .describe('Owners, and hashes of guest networks, whose count of slots differs from their unfinished forecasts.'),
    errors: count(`Number of errors. Each list has at most ${MAX_LEDGER_ERRORS} of them.`),
  })
  .meta({ id: 'LedgerCheck' });

export const adminServiceOperations = {
  readServiceState: operation({
    group: 'Administration',
    method: 'GET',
    path: '/v1/admin/service',
    action: 'administration.read',
    summary: 'Read the state of the service',
    description:
      'Returns the state of the providers, queues, workers, stamper and database. For administrators with a verified email address.',
    weight: 2,
    status: 200,
    reply: resource(ServiceState),
    errors: ['ADMINISTRATOR_REQUIRED', 'EMAIL_NOT_VERIFIED'],
  }),

  checkLedger: operation({
    group: 'Administration',
    method: 'GET',
    path: '/v1/admin/ledger',
    action: 'administration.read',
    summary: 'Check the ledger',
    description:
      'Checks that the credits and slots of all forecasts add up, as `almanac ledger check` does. It reads the whole ledger and changes nothing.',
    weight: 10,
    heavy: 'work',
    status: 200,
    reply: resource(LedgerCheck),
    errors: ['ADMINISTRATOR_REQUIRED', 'EMAIL_NOT_VERIFIED'],
  }),
};
