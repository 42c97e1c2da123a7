import { type ErrorCode, type EventStatus, Fault, type ForecastStatus } from '../contract/index.ts';

// Publishing an event

export function workspaceIdRequired(): Fault {
  return new Fault('INVALID_REQUEST', 'visibility: "workspace" requires a workspace_id.');
}

export function cutoffInFuture(): Fault {
  return new Fault('INVALID_REQUEST', 'input_cutoff_at: must not be in the future.');
}

export function deadlineNotAfterCutoff(): Fault {
  return new Fault('INVALID_REQUEST', 'resolution_deadline: must be after input_cutoff_at.');
}

export function deadlinePassed(): Fault {
  return new Fault('INVALID_REQUEST', 'resolution_deadline: must be in the future.');
}

export function deadlineTooFar(maxYears: number): Fault {
  return new Fault('INVALID_REQUEST', `resolution_deadline: must be within ${maxYears} years.`);
}

export function slugAlreadyUsed(eventId: string): Fault {
  return new Fault('CONFLICT', `slug: you already used it for ${eventId}. Choose another slug, or revise that event.`);
}

export function tooManyPendingEvents(max: number): Fault {
  return new Fault('LIMIT_REACHED', `You can have at most ${max} pending events. Resolve or annul some first.`);
}

// Reading, revising and resolving an event

export function eventNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No event forecast has this id or slug.');
}

export function eventRoleDenied(): Fault {
  return new Fault(
    'WORKSPACE_DENIED',
    'Your role in the workspace of this event does not allow this action. The owner of the workspace can change your role.',
  );
}

export function notEventAuthor(): Fault {
  return new Fault('OWNERSHIP_REQUIRED', "Only the event's author can revise it.");
}

export function notEventResolver(): Fault {
  return new Fault(
    'OWNERSHIP_REQUIRED',
    "Only the event's author, the owner of its workspace or an administrator can resolve it.",
  );
}

export function eventNotPending(status: EventStatus): Fault {
  return new Fault('CONFLICT', `The event is ${status} and can no longer be revised.`);
}

export function outcomeDecided(at: Date): Fault {
  return new Fault(
    'CONFLICT',
    `The outcome was decided at ${at.toISOString()}, so the event can no longer be revised.`,
  );
}

export function revisionDeadlinePassed(at: Date): Fault {
  return new Fault('CONFLICT', `The deadline was ${at.toISOString()}, so the event can no longer be revised.`);
}

export function revisionNotFound(): Fault {
  return new Fault('NOT_FOUND', 'revision: the event has no revision with this number.');
}

export function revisionHasNoProof(eventId: string): Fault {
  return new Fault(
    'CONFLICT',
    `The revision was made before revisions had proofs. The operator can create its proof with the command "almanac proof stamp ${eventId}".`,
  );
}

export function tooManyRevisions(max: number): Fault {
  return new Fault('LIMIT_REACHED', `An event can have at most ${max} revisions.`);
}

export function alreadyResolved(status: EventStatus): Fault {
  return new Fault('CONFLICT', `The event is already ${status}. A resolution cannot be changed.`);
}

export function outcomeKnownInFuture(): Fault {
  return new Fault('INVALID_REQUEST', 'outcome_known_at: must not be in the future.');
}

export function outcomeKnownBeforeQuestion(createdAt: Date): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `outcome_known_at: must not be before the question was published (${createdAt.toISOString()}). If the outcome was known by then, annul the question.`,
  );
}

export function resolutionNotFound(): Fault {
  return new Fault('NOT_FOUND', 'The event is pending and has no resolution yet.');
}

// Resolution rules

export function observedAtAfterDeadline(): Fault {
  return observedAtRefused('must not be after resolution_deadline.');
}

export function observedPeriodEnded(): Fault {
  return observedAtRefused('its period has ended, so the outcome is known. Choose a later one.');
}

export function observedPeriodEndsAfterDeadline(end: Date): Fault {
  return observedAtRefused(`its period ends at ${end.toISOString()}, after resolution_deadline.`);
}

/** @param rowRule which timestamps the rows of the series have, such as "a session of the exchange" */
export function observedRowNotFound(rowRule: string): Fault {
  return observedAtRefused(`the series has no row at this time. Each row is ${rowRule}.`);
}

function observedAtRefused(problem: string): Fault {
  return new Fault('INVALID_REQUEST', `resolution_rule.observed_at: ${problem}`);
}

export function ruleVintageFixed(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'resolution_rule.source.vintage: a vintage never gets later rows. Omit it, so that current rows resolve the event.',
  );
}

export function ruleEndFixed(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'resolution_rule.source.end: rows after it are never read. Omit it, so that a later row can resolve the event.',
  );
}

export function ruleSourceNotShareable(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'visibility: the resolution shows a row of the workspace file that the rule reads. Make the question private, or publish it with visibility "workspace" in the workspace of the file.',
  );
}

/** Returns a fault of a source with the path that the source has in the request. */
export function ruleSourceFault({ code, message, details }: Fault): Fault {
  const path = /^source\b/.test(message) ? '' : 'source: ';
  return new Fault(code, `resolution_rule.${path}${message}`, details);
}

// Questions from a forecast

export function forecastScopeRequired(code: ErrorCode, missingScope: string | undefined): Fault {
  return new Fault(
    code,
    missingScope === undefined
      ? 'forecast_id: you are not allowed to read forecasts.'
      : `forecast_id: reading a forecast requires the scope ${missingScope}.`,
    missingScope === undefined ? {} : { missingScope },
  );
}

export function forecastNotCompleted(status: ForecastStatus): Fault {
  return new Fault('NOT_COMPLETED', `forecast_id: the forecast is ${status}. Only a completed forecast has quantiles.`);
}

export function thresholdRequired(): Fault {
  return new Fault('INVALID_REQUEST', 'thresholds: give at least one threshold, here or in changes_pct.');
}

export function changesNeedPositiveValue(last: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `changes_pct: changes need a last value above 0, and the last value of the series is ${last}. Use thresholds instead.`,
  );
}

export function stepBeyondHorizon(step: number, horizon: number): Fault {
  return new Fault('INVALID_REQUEST', `steps: ${step} is beyond the horizon of the forecast, which is ${horizon}.`);
}

export function tooManyQuestions(count: number, max: number): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `thresholds: with these steps the request creates ${count} questions. The limit is ${max}.`,
  );
}

export function stepPeriodEnded(step: number, end: Date): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `steps: the period of step ${step} ended at ${end.toISOString()}, so its outcome can be known. Choose a later step. For this one, read the quantiles of the forecast.`,
  );
}

export function stepTooFar(step: number, maxYears: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `steps: the resolution deadline of step ${step} would be more than ${maxYears} years ahead.`,
  );
}

// Replay

export function replayValueNotPositive(at: string, value: number | undefined): Fault {
  return new Fault('UNPROCESSABLE', `A replay needs values above 0. The value at ${at} is ${value}.`);
}

export function replayHistoryTooShort(rows: number, needed: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `The history has ${rows} rows, and this replay needs ${needed}. Choose a smaller --before, fewer --cutoffs or shorter --horizons.`,
  );
}
