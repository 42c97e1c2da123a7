import { z } from 'zod';
import { identifier, instant, text } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { bare, resource } from './replies.ts';
import { ScreenerMailDelivery } from './screener-mails.ts';
import { hasNotBoth, NOT_BOTH, needsOneCombination, ONE_COMBINATION, screenerRules } from './screener-rules.ts';

/** Of one account. */
export const MAX_SCREENER_FILTERS = 10;
/** Matches that a preview shows. */
export const MAX_PREVIEW_MATCHES = 200;
/** Symbols without a close that an answer names. */
export const MAX_NAMED_MISSING = 100;

export const SCREENER_RUN_STATES = ['waiting', 'running', 'completed', 'missed'] as const;

const fields = {
  name: name({ max: 100 }),
  ...screenerRules,
  email: z.boolean().describe('Whether matches are mailed.'),
};

const NewScreenerAlert = z
  .strictObject({ ...fields, email: fields.email.default(false) })
  .refine(needsOneCombination, ONE_COMBINATION);

const ScreenerAlertChange = z
  .strictObject(fields)
  .partial()
  .refine(hasNotBoth, NOT_BOTH)
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'must have something to change',
  });

const ScreenerPreview = z.strictObject(screenerRules).refine(needsOneCombination, ONE_COMBINATION);

export const ScreenerAlert = z
  .strictObject({ id: z.string(), ...fields, name: z.string(), created_at: instant(), updated_at: instant() })
  .meta({ id: 'ScreenerAlert' });

const values = z
  .record(z.string(), z.number().nullable())
  .describe(
    'The fields that the filter names, and those of the session before as `previous_…` where one had to cross.',
  );

const session = z.iso.date().describe('The exchange’s date.');

const ScreenerRun = z
  .strictObject({
    state: z.enum(SCREENER_RUN_STATES),
    completed_at: instant().nullable(),
    missing: z
      .array(z.string())
      .describe(`Symbols of the filter that have no numbers in the session, the first ${MAX_NAMED_MISSING}.`),
  })
  .nullable()
  .describe('Null: the session was not looked at.')
  .meta({ id: 'ScreenerRun' });

const PATH = '/v1/me/screener-alerts';
const ONE = `${PATH}/{alert_id}` as const;
const byId = z.strictObject({ alert_id: identifier() });

export const screenerOperations = {
  listScreenerAlerts: operation({
    group: 'Screener',
    method: 'GET',
    path: PATH,
    action: 'screener.read',
    summary: 'The caller’s filters',
    description: 'Oldest first: all there are.',
    status: 200,
    reply: resource(z.strictObject({ alerts: z.array(ScreenerAlert), mail_delivery: ScreenerMailDelivery })),
    errors: ['EMAIL_NOT_VERIFIED'],
  }),
  createScreenerAlert: operation({
    group: 'Screener',
    method: 'POST',
    path: PATH,
    action: 'screener.write',
    summary: 'Save a filter',
    description: `At most ${MAX_SCREENER_FILTERS} for an account. It is looked at from the next session on, after the exchange’s final close. With \`email\` its matches are in the account’s one mail of the day.`,
    body: NewScreenerAlert,
    status: 201,
    reply: resource(ScreenerAlert),
    errors: ['EMAIL_NOT_VERIFIED', 'LIMIT_REACHED'],
  }),
  readScreenerAlert: operation({
    group: 'Screener',
    method: 'GET',
    path: ONE,
    action: 'screener.read',
    summary: 'A filter',
    params: byId,
    status: 200,
    reply: resource(ScreenerAlert),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
  updateScreenerAlert: operation({
    group: 'Screener',
    method: 'PATCH',
    path: ONE,
    action: 'screener.write',
    summary: 'Change a filter',
    description:
      'What is left out stays; `all` takes the place of `any`, and the other way round. Matches that were found stay as they are; the next session is looked at with what is changed.',
    params: byId,
    body: ScreenerAlertChange,
    status: 200,
    reply: resource(ScreenerAlert),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
  deleteScreenerAlert: operation({
    group: 'Screener',
    method: 'DELETE',
    path: ONE,
    action: 'screener.write',
    summary: 'Remove a filter',
    description: 'With its matches. No mail tells of it any more, not even one that was about to be sent.',
    params: byId,
    status: 200,
    reply: bare(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
  previewScreenerAlert: operation({
    group: 'Screener',
    method: 'POST',
    path: `${PATH}/preview`,
    action: 'screener.read',
    summary: 'What a filter would match',
    description: `In the latest session that was looked at: how many symbols, and the first ${MAX_PREVIEW_MATCHES} of them. Nothing is kept.`,
    body: ScreenerPreview,
    status: 200,
    reply: resource(
      z.strictObject({
        session: session.nullable().describe('Null: none was looked at yet.'),
        total: z.int(),
        matches: z.array(z.strictObject({ symbol: z.string(), values })),
        missing: z
          .array(z.string())
          .describe(`Symbols of the list for which the session has no numbers, the first ${MAX_NAMED_MISSING}.`),
      }),
    ),
    errors: ['EMAIL_NOT_VERIFIED'],
  }),
  listScreenerMatches: operation({
    group: 'Screener',
    method: 'GET',
    path: `${ONE}/matches`,
    action: 'screener.read',
    summary: 'What a filter matched in a session',
    description:
      'By symbol. Without `session` the latest that was looked at; the pages after the first stay with it. `new` are those that the filter did not match in the session before.',
    params: byId,
    query: z.strictObject({
      session: z.iso.date({ error: 'must be a date such as 2024-03-01' }).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      cursor: text({ max: 500 }).optional(),
    }),
    status: 200,
    reply: resource(
      z.strictObject({
        session: session.nullable().describe('Null: none was looked at yet.'),
        run: ScreenerRun,
        evaluated: z
          .boolean()
          .describe(
            'Whether the session was looked at with this filter. Not if the filter is younger, or the run not done.',
          ),
        total: z.int(),
        matches: z.array(z.strictObject({ symbol: z.string(), new: z.boolean(), values })),
        next_cursor: z.string().nullable(),
      }),
    ),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
};
