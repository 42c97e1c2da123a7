import { z } from 'zod';
import { identifier, text, timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { SCOREBOARD_GROUPS, Scoreboard } from './scoreboard.ts';
import {
  category,
  EventRequestBody,
  FromForecastBody,
  MAX_QUESTIONS,
  ResolveRequestBody,
  RevisionRequestBody,
} from './scout-fields.ts';
import { EventForecast, EventHistoryEntry, EventResolution, EventRevision } from './scout-views.ts';
import { EVENT_STATUSES, EXPORT_FORMATS } from './vocabulary.ts';

const byId = z.strictObject({ forecast_id: identifier() });
const PATH = '/v1/forecasts';

const page = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: text({ max: 500 }).optional(),
};

const choice = {
  category: category().optional(),
  entity: text({ max: 200 }).optional().describe('Its name or ticker, in any case.'),
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
    summary: 'Event forecasts that the caller may see',
    description: 'Newest first: its own, those of its workspaces and public ones.',
    query: z.strictObject({
      ...choice,
      status: z.enum(EVENT_STATUSES).optional(),
      source_forecast_id: identifier().optional().describe('Made from this ensemble forecast; its id.'),
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
    summary: 'Publish an event forecast',
    description:
      'A question with a deadline and the probability of its yes. Question, category, entity, deadline and rule stay as they are; the probability can be revised.',
    body: EventRequestBody,
    status: 201,
    reply: resource(EventForecast),
    errors: ['WORKSPACE_DENIED', 'NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED', 'UNPROCESSABLE', 'PROVIDER_FAILED'],
  }),
  readEvent: operation({
    group: 'Scout',
    method: 'GET',
    path: `${PATH}/{forecast_id}`,
    action: 'event.read',
    summary: 'An event forecast',
    description: 'With its current revision.',
    params: byId,
    status: 200,
    reply: resource(EventForecast),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  readEventResolution: operation({
    group: 'Scout',
    method: 'GET',
    path: `${PATH}/{forecast_id}/resolution`,
    action: 'event.read',
    summary: 'How a question was resolved',
    description: 'With the rule, the evidence and the score. A pending question has none: 404.',
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
    summary: 'Every revision of an event forecast',
    description: 'Newest first. A revision never changes.',
    params: byId,
    query: z.strictObject(page),
    status: 200,
    reply: resource(z.strictObject({ revisions: z.array(EventRevision), next_cursor: z.string().nullable() })),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED'],
  }),
  reviseEvent: operation({
    group: 'Scout',
    method: 'POST',
    path: `${PATH}/{forecast_id}/revisions`,
    action: 'event.revise',
    summary: 'Revise the probability',
    description: 'Adds a revision while the question is open; those before it stay.',
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
    summary: 'What happened to an event forecast',
    description: 'Newest first: created, revised, checked (when the check of its rule changes), resolved, annulled.',
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
    summary: 'Say what happened',
    description:
      'For its author, the owner of its workspace, and administrators, who can see it; also before the deadline. One resolution holds: a second is 409.',
    params: byId,
    body: ResolveRequestBody,
    status: 200,
    reply: resource(EventResolution),
    errors: ['NOT_FOUND', 'WORKSPACE_DENIED', 'OWNERSHIP_REQUIRED', 'CONFLICT'],
  }),
  createEventsFromForecast: operation({
    group: 'Scout',
    method: 'POST',
    path: '/v1/scout/from-forecast',
    action: 'event.create',
    summary: 'Turn an ensemble forecast into questions',
    description: `One question for each threshold and step, at most ${MAX_QUESTIONS}: all of them, or none. The probabilities are read from the quantiles. Takes the scope forecasts:read, too.`,
    body: FromForecastBody,
    status: 201,
    reply: resource(z.strictObject({ forecasts: z.array(EventForecast) })),
    errors: ['NOT_FOUND', 'NOT_COMPLETED', 'WORKSPACE_DENIED', 'LIMIT_REACHED', 'UNPROCESSABLE'],
  }),
  readScoreboard: operation({
    group: 'Scout',
    method: 'GET',
    path: '/v1/scout/scoreboard',
    action: 'scoreboard.read',
    summary: 'How good the probabilities were',
    description:
      'Over the resolved questions that the caller may see: calibration, log loss, Brier score and skill, with bootstrap intervals. As CSV one line for each group, or for each question.',
    query: z.strictObject({
      ...choice,
      from: timestamp().optional().describe('Resolved at or after this instant.'),
      to: timestamp().optional().describe('Resolved before this instant.'),
      group_by: z.enum(SCOREBOARD_GROUPS).optional(),
      format: z.enum(EXPORT_FORMATS).default('json'),
      rows: z.enum(['groups', 'questions']).default('groups').describe('Of the CSV.'),
    }),
    status: 200,
    reply: resource(Scoreboard),
    attachment: true,
    errors: ['WORKSPACE_DENIED'],
  }),
};
