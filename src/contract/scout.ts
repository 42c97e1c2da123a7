import { z } from 'zod';
import { identifier, text, timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { ProofFile } from './proof-file.ts';
import { resource } from './replies.ts';
import { SCOREBOARD_GROUPS, Scoreboard } from './scoreboard.ts';
import {
  category,
  EventRequestBody,
  FromForecastBody,
  MAX_QUESTIONS,
  MAX_REVISIONS,
  ResolveRequestBody,
  RevisionRequestBody,
} from './scout-fields.ts';
import {
  AllowedEventActions,
  EventForecast,
  EventHistoryEntry,
  EventPreviews,
  EventResolution,
  EventRevision,
} from './scout-views.ts';
import { MAX_SOURCE_BODY } from './sources.ts';
import { EVENT_SORTS, EVENT_STATUSES, EXPORT_FORMATS } from './vocabulary.ts';

const byId = z.strictObject({ forecast_id: identifier() });
const PATH = '/v1/forecasts';

const page = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: text({ max: 500 }).optional(),
};

const choice = {
  category: category().optional(),
  entity: text({ max: 200 }).optional().describe('Name or ticker of the entity (case-insensitive).'),
  model: text({ max: 60 }).optional(),
  author: z.enum(['anyone', 'me']).default('anyone'),
  workspace_id: identifier().optional(),
};

export const scoutOperations = {
  listEvents: operation({
    group: 'Scout',
    method: 'GET',
    path: PATH,
    action: 'event.list',
    summary: 'List event forecasts',
    description:
      'Lists the caller’s own event forecasts, those of the caller’s workspaces and public ones, newest first or by deadline.',
    query: z.strictObject({
      ...choice,
      status: z.enum(EVENT_STATUSES).optional(),
      source_forecast_id: identifier()
        .optional()
        .describe('Id of the ensemble forecast from which the questions were created.'),
      deadline_from: timestamp().optional().describe('Includes questions whose deadline is at or after this instant.'),
      deadline_to: timestamp().optional().describe('Includes questions whose deadline is before this instant.'),
      sort: z.enum(EVENT_SORTS).default('newest').describe('`deadline`: the earliest deadline first.'),
      ...page,
    }),
    status: 200,
    reply: resource(z.strictObject({ forecasts: z.array(EventForecast), next_cursor: z.string().nullable() })),
    errors: ['WORKSPACE_DENIED'],
  }),
  createEvent: operation({
    group: 'Scout',
    method: 'POST',
    path: PATH,
    action: 'event.create',
    summary: 'Create an event forecast',
    description:
      'Creates a question with a deadline and the probability that the question resolves yes. The probability can be revised. The question, category, entity, deadline and resolution rule cannot be changed.',
    body: EventRequestBody,
    weight: 2,
    heavy: 'file_work',
    bodyLimit: { bytes: MAX_SOURCE_BODY },
    status: 201,
    reply: resource(EventForecast),
    errors: [
      'SOURCE_DENIED',
      'WORKSPACE_DENIED',
      'NOT_FOUND',
      'CONFLICT',
      'LIMIT_REACHED',
      'UNPROCESSABLE',
      'PROVIDER_FAILED',
    ],
  }),
  readEvent: operation({
    group: 'Scout',
    method: 'GET',
    path: `${PATH}/{forecast_id}`,
    action: 'event.read',
    summary: 'Read an event forecast',
    description: 'Returns the event forecast with its current revision.',
    params: byId,
    status: 200,
    reply: resource(EventForecast),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  listEventActions: operation({
    group: 'Scout',
    method: 'GET',
    path: `${PATH}/{forecast_id}/actions`,
    action: 'event.read',
    summary: 'List what the caller may do with an event forecast',
    description:
      'Returns which of these actions the caller may take now: `revise` and `resolve` (or annul). Pages use it to offer only those. The credential needs the scope events:write to take one.',
    params: byId,
    status: 200,
    reply: resource(AllowedEventActions),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  readEventResolution: operation({
    group: 'Scout',
    method: 'GET',
    path: `${PATH}/{forecast_id}/resolution`,
    action: 'event.read',
    summary: 'Read the resolution of an event forecast',
    description:
      'Returns the outcome, the resolution rule, the evidence and the score. The response is 404 while the question is pending.',
    params: byId,
    status: 200,
    reply: resource(EventResolution),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  listEventRevisions: operation({
    group: 'Scout',
    method: 'GET',
    path: `${PATH}/{forecast_id}/revisions`,
    action: 'event.read',
    summary: 'List the revisions of an event forecast',
    description: 'Lists all revisions, newest first. Revisions cannot be changed.',
    params: byId,
    query: z.strictObject(page),
    status: 200,
    reply: resource(z.strictObject({ revisions: z.array(EventRevision), next_cursor: z.string().nullable() })),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  readEventProof: operation({
    group: 'Scout',
    method: 'GET',
    path: `${PATH}/{forecast_id}/proof`,
    action: 'event.read',
    summary: 'Read the proof of a revision of an event forecast',
    description:
      'Returns the canonical document of a revision with its receipt. `content_cid` is the SHA3-256 of the document as canonical JSON (RFC 8785). `almanac proof verify FILE` checks a saved response. The response is 409 for a revision that was made before revisions had proofs.',
    params: byId,
    query: z.strictObject({
      revision: z.coerce
        .number()
        .int()
        .min(1)
        .max(MAX_REVISIONS)
        .optional()
        .describe('Number of the revision. Default: the current revision.'),
    }),
    status: 200,
    reply: resource(ProofFile),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'CONFLICT'],
  }),
  reviseEvent: operation({
    group: 'Scout',
    method: 'POST',
    path: `${PATH}/{forecast_id}/revisions`,
    action: 'event.revise',
    summary: 'Revise an event forecast',
    description: 'Adds a revision to a pending question. Earlier revisions are kept.',
    params: byId,
    body: RevisionRequestBody,
    status: 201,
    reply: resource(EventForecast),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'OWNERSHIP_REQUIRED', 'CONFLICT', 'LIMIT_REACHED'],
  }),
  readEventHistory: operation({
    group: 'Scout',
    method: 'GET',
    path: `${PATH}/{forecast_id}/history`,
    action: 'event.read',
    summary: 'Read the history of an event forecast',
    description:
      'Lists when the event forecast was created, revised, resolved or annulled, and when the state of its rule check changed, newest first.',
    params: byId,
    query: z.strictObject(page),
    status: 200,
    reply: resource(z.strictObject({ entries: z.array(EventHistoryEntry), next_cursor: z.string().nullable() })),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  resolveEvent: operation({
    group: 'Scout',
    method: 'POST',
    path: `${PATH}/{forecast_id}/resolve`,
    action: 'event.resolve',
    summary: 'Resolve an event forecast',
    description:
      'An event forecast can be resolved by its creator, by the owner of its workspace and by any administrator that can read it, even before the deadline. A resolution is final: a second request returns 409.',
    params: byId,
    body: ResolveRequestBody,
    // The evidence alone can take 29 KiB.
    bodyLimit: { bytes: 48 * 1024 },
    status: 200,
    reply: resource(EventResolution),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'OWNERSHIP_REQUIRED', 'CONFLICT'],
  }),
  createEventsFromForecast: operation({
    group: 'Scout',
    method: 'POST',
    path: '/v1/scout/from-forecast',
    action: 'event.create',
    summary: 'Create event forecasts from an ensemble forecast',
    description: `Creates one question for each combination of threshold and step, at most ${MAX_QUESTIONS}. Either all questions are created or none. The probabilities are derived from the quantiles and, for prices, from past changes. The credential also needs the scope forecasts:read.`,
    body: FromForecastBody,
    weight: 5,
    status: 201,
    reply: resource(z.strictObject({ forecasts: z.array(EventForecast) })),
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'WORKSPACE_DENIED', 'LIMIT_REACHED', 'UNPROCESSABLE'],
  }),
  previewEventsFromForecast: operation({
    group: 'Scout',
    method: 'POST',
    path: '/v1/scout/from-forecast/preview',
    action: 'event.create',
    summary: 'Preview event forecasts from an ensemble forecast',
    description: `Returns the questions that the same request to create them would create, with their probabilities, and stores nothing. It is refused for the same reasons.`,
    body: FromForecastBody,
    weight: 2,
    status: 200,
    reply: resource(EventPreviews),
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'WORKSPACE_DENIED', 'UNPROCESSABLE'],
  }),
  readScoreboard: operation({
    group: 'Scout',
    method: 'GET',
    path: '/v1/scout/scoreboard',
    action: 'scoreboard.read',
    summary: 'Read the scoreboard',
    description:
      'Returns the calibration, log loss, Brier score and skill of the resolved questions that the caller may read, with bootstrap intervals. A CSV file has one line for each group or question.',
    query: z.strictObject({
      ...choice,
      from: timestamp().optional().describe('Includes questions resolved at or after this instant.'),
      to: timestamp().optional().describe('Includes questions resolved before this instant.'),
      stamped: z
        .enum(['true', 'false'])
        .default('false')
        .transform((choice) => choice === 'true')
        .describe('If `true`, includes only questions whose probability was stamped before the outcome was known.'),
      group_by: z.enum(SCOREBOARD_GROUPS).optional(),
      format: z.enum(EXPORT_FORMATS).default('json'),
      rows: z
        .enum(['groups', 'questions'])
        .default('groups')
        .describe('Whether each line of a CSV file describes a group or a question.'),
    }),
    weight: 10,
    heavy: 'work',
    status: 200,
    reply: resource(Scoreboard),
    attachment: true,
    errors: ['WORKSPACE_DENIED'],
  }),
};
