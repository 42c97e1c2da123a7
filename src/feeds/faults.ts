import { type ErrorCode, Fault, type FeedKind, type ForecastStatus } from '../contract/index.ts';

/** Returns the one fault for every token that is unknown, malformed or no longer valid. */
export function feedNotFound(): Fault {
  return new Fault(
    'NOT_FOUND',
    'No working feed has this URL. It may have been deleted, or its account may be locked. Create another one: POST /v1/feeds.',
  );
}

export function feedNotDeletable(): Fault {
  return new Fault('NOT_FOUND', 'No feed with this id can be deleted with this credential.');
}

export function tooManyFeeds(max: number): Fault {
  return new Fault('LIMIT_REACHED', `An account can have at most ${max} feeds. Delete one first.`);
}

export function feedPlanRequired(): Fault {
  return new Fault('PLAN_REQUIRED', 'A feed is API access, which needs the pro or enterprise plan.');
}

/** @param missingScope undefined if the plan of the account denies the kind */
export function feedKindDenied(kind: FeedKind, code: ErrorCode, missingScope: string | undefined): Fault {
  if (missingScope === undefined) return feedPlanRequired();
  return new Fault(code, `kind: a feed of the kind ${kind} requires the scope ${missingScope}.`, { missingScope });
}

export function feedForecastNotCompleted(status: ForecastStatus): Fault {
  return new Fault('NOT_COMPLETED', `The forecast is ${status}. Only completed forecasts can be read as a feed.`);
}
