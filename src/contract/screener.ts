import { z } from 'zod';
import { identifier, instant, text } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { dataOnly, resource } from './replies.ts';
import { ScreenerMailDelivery } from './screener-mails.ts';
import {
  AT_MOST_ONE_COMBINATION_RULE,
  hasAtMostOneCombination,
  hasOneCombination,
  ONE_COMBINATION_RULE,
  screenerRules,
} from './screener-rules.ts';

/** Maximum number of filters per account. */
export const MAX_SCREENER_FILTERS = 10;
/** Maximum number of matches in a preview. */
export const MAX_PREVIEW_MATCHES = 200;
/** Maximum number of symbols without data that a response lists. */
export const MAX_MISSING_SYMBOLS = 100;

export const SCREENER_RUN_STATES = ['waiting', 'running', 'completed', 'missed'] as const;

const fields = {
  name: name({ max: 100 }),
  ...screenerRules,
  email: z.boolean().describe('Whether the matches of the filter are sent by email.'),
};

const NewScreenerAlert = z
  .strictObject({ ...fields, email: fields.email.default(false) })
  .refine(hasOneCombination, ONE_COMBINATION_RULE);

const ScreenerAlertChange = z
  .strictObject(fields)
  .partial()
  .refine(hasAtMostOneCombination, AT_MOST_ONE_COMBINATION_RULE)
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'must contain at least one field to change',
  });

const ScreenerPreview = z.strictObject(screenerRules).refine(hasOneCombination, ONE_COMBINATION_RULE);

export const ScreenerAlert = z
  .strictObject({ id: z.string(), ...fields, name: z.string(), created_at: instant(), updated_at: instant() })
  .meta({ id: 'ScreenerAlert' });

const unknownSymbols = z
  .array(z.string())
  .optional()
  .describe(
    'The symbols of the filter that no provider lists, such as misspelled ones. Absent while a provider’s list of symbols is missing.',
  );

const CheckedScreenerAlert = ScreenerAlert.extend({ unknown_symbols: unknownSymbols }).meta({
  id: 'CheckedScreenerAlert',
});

const values = z
  .record(z.string(), z.number().nullable())
  .describe(
    'The values of the filter’s fields and, for the operators `crosses_above` and `crosses_below`, those of the previous session as `previous_…`.',
  );

/** Maximum number of closes of a match. */
export const MAX_RECENT_CLOSES = 30;

const recentCloses = z
  .array(z.number())
  .describe(`Up to ${MAX_RECENT_CLOSES} closes of the symbol, oldest first, ending with the session.`);

const session = z.iso.date().describe('The session date of the exchange.');

const ScreenerRun = z
  .strictObject({
    state: z.enum(SCREENER_RUN_STATES),
    completed_at: instant().nullable(),
    missing: z
      .array(z.string())
      .describe(`Up to ${MAX_MISSING_SYMBOLS} symbols of the filter that have no data for the session.`),
  })
  .nullable()
  .describe('The run that evaluated the session; null if there was none.')
  .meta({ id: 'ScreenerRun' });

const PATH = '/v1/me/screener-alerts';
const ONE = `${PATH}/{alert_id}` as const;
const byId = z.strictObject({ alert_id: identifier() });
/** A list of 500 symbols takes 17 KiB. */
const FILTER_BODY = { bytes: 32 * 1024 } as const;

/** Maximum number of matches that the list of filters shows for each filter. */
export const MAX_FIRST_MATCHES = 8;

const LatestScreenerResult = z
  .strictObject({
    session,
    evaluated: z.boolean().describe('False if the filter was created after the session was evaluated.'),
    total: z.int(),
    new_total: z.int().describe('The number of matches that are new.'),
    first_matches: z
      .array(z.strictObject({ symbol: z.string(), new: z.boolean() }))
      .describe(`Up to ${MAX_FIRST_MATCHES} matches: new ones first, then by symbol.`),
  })
  .nullable()
  .describe('The result of the filter in the latest evaluated session; null when no session has been evaluated yet.')
  .meta({ id: 'LatestScreenerResult' });

const ListedScreenerAlert = ScreenerAlert.extend({ latest: LatestScreenerResult }).meta({ id: 'ListedScreenerAlert' });

export const screenerOperations = {
  listScreenerAlerts: operation({
    group: 'Screener',
    method: 'GET',
    path: PATH,
    action: 'screener.read',
    summary: 'List filters',
    description: 'Lists all filters of the account, oldest first, each with its result in the latest session.',
    status: 200,
    reply: resource(z.strictObject({ alerts: z.array(ListedScreenerAlert), mail_delivery: ScreenerMailDelivery })),
    errors: ['EMAIL_NOT_VERIFIED'],
  }),
  createScreenerAlert: operation({
    group: 'Screener',
    method: 'POST',
    path: PATH,
    action: 'screener.write',
    summary: 'Create a filter',
    description: `An account can have at most ${MAX_SCREENER_FILTERS} filters. The filter is evaluated after each close of the exchange, beginning with the next session. If \`email\` is true, its matches are included in the account’s daily email.`,
    body: NewScreenerAlert,
    bodyLimit: FILTER_BODY,
    status: 201,
    reply: resource(CheckedScreenerAlert),
    errors: ['EMAIL_NOT_VERIFIED', 'LIMIT_REACHED'],
  }),
  readScreenerAlert: operation({
    group: 'Screener',
    method: 'GET',
    path: ONE,
    action: 'screener.read',
    summary: 'Read a filter',
    params: byId,
    status: 200,
    reply: resource(CheckedScreenerAlert),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
  updateScreenerAlert: operation({
    group: 'Screener',
    method: 'PATCH',
    path: ONE,
    action: 'screener.write',
    summary: 'Update a filter',
    description:
      'Omitted fields stay unchanged; `all` replaces `any`, and `any` replaces `all`. The change applies from the next session on. Earlier matches are not changed.',
    params: byId,
    body: ScreenerAlertChange,
    bodyLimit: FILTER_BODY,
    status: 200,
    reply: resource(CheckedScreenerAlert),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
  deleteScreenerAlert: operation({
    group: 'Screener',
    method: 'DELETE',
    path: ONE,
    action: 'screener.write',
    summary: 'Delete a filter',
    description: 'Deletes the filter and its matches. Emails that are still queued no longer include its matches.',
    params: byId,
    status: 200,
    reply: dataOnly(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
  previewScreenerAlert: operation({
    group: 'Screener',
    method: 'POST',
    path: `${PATH}/preview`,
    action: 'screener.read',
    summary: 'Preview a filter',
    description: `Evaluates conditions on the latest evaluated session and saves nothing. Returns the number of matches and the first ${MAX_PREVIEW_MATCHES} of them.`,
    body: ScreenerPreview,
    weight: 10,
    heavy: 'work',
    bodyLimit: FILTER_BODY,
    status: 200,
    reply: resource(
      z.strictObject({
        session: session.nullable().describe('Null when no session has been evaluated yet.'),
        total: z.int(),
        matches: z.array(z.strictObject({ symbol: z.string(), values, recent_closes: recentCloses })),
        missing: z
          .array(z.string())
          .describe(`Up to ${MAX_MISSING_SYMBOLS} symbols of the universe that have no data for the session.`),
        unknown_symbols: unknownSymbols,
      }),
    ),
    errors: ['EMAIL_NOT_VERIFIED'],
  }),
  listScreenerMatches: operation({
    group: 'Screener',
    method: 'GET',
    path: `${ONE}/matches`,
    action: 'screener.read',
    summary: 'List the matches of a filter',
    description:
      'Lists the matches of one session, sorted by symbol. Default: the latest evaluated session; all pages are from the same session. `new` marks symbols that did not match in the previous session.',
    params: byId,
    query: z.strictObject({
      session: z.iso.date({ error: 'must be a date such as 2024-03-01' }).optional(),
      new: z.literal('true').optional().describe('Selects only matches that are new.'),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      cursor: text({ max: 500 }).optional(),
    }),
    status: 200,
    reply: resource(
      z.strictObject({
        session: session.nullable().describe('Null when no session has been evaluated yet.'),
        run: ScreenerRun,
        evaluated: z
          .boolean()
          .describe(
            'Whether the filter was evaluated for this session. False if the filter was created later or the run has not completed.',
          ),
        total: z.int().describe('The number of all matches of the session.'),
        matches: z.array(z.strictObject({ symbol: z.string(), new: z.boolean(), values, recent_closes: recentCloses })),
        new_total: z.int().describe('The number of matches that are new, whether or not `new` selects them.'),
        next_cursor: z.string().nullable(),
      }),
    ),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
  listScreenerSessions: operation({
    group: 'Screener',
    method: 'GET',
    path: `${ONE}/sessions`,
    action: 'screener.read',
    summary: 'List the sessions of a filter',
    description:
      'Lists the sessions for which the filter was evaluated, newest first, with the number of matches and of new ones. Results are kept for 100 days.',
    params: byId,
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(30),
      cursor: text({ max: 500 }).optional(),
    }),
    status: 200,
    reply: resource(
      z.strictObject({
        sessions: z.array(
          z
            .strictObject({ session, total: z.int(), new_total: z.int(), completed_at: instant().nullable() })
            .meta({ id: 'ScreenerSession' }),
        ),
        next_cursor: z.string().nullable(),
      }),
    ),
    errors: ['EMAIL_NOT_VERIFIED', 'NOT_FOUND'],
  }),
};
