import { Fault, type ForecastStatus, type Visibility } from '../contract/index.ts';
import { creditPeriod } from './metering/charges.ts';

/** A slot becomes free whenever a forecast ends, so a caller can soon try again. */
const SLOT_RETRY_SECONDS = 5;

export function forecastNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No forecast has this id or slug.');
}

export function forecastRemoved(): Fault {
  return new Fault('NOT_FOUND', 'The forecast was removed while this request was running.');
}

export function notMemberOfWorkspace(): Fault {
  return new Fault('WORKSPACE_DENIED', 'You are not a member of the workspace of this forecast.');
}

export function ownershipRequired(isInWorkspace: boolean): Fault {
  const others = isInWorkspace ? ', or a member of its workspace whose role allows it,' : '';
  return new Fault(
    'OWNERSHIP_REQUIRED',
    `Only the forecast's creator${others} can do this. Reproduce the forecast to get a copy of your own.`,
  );
}

export function deletionDenied(): Fault {
  return new Fault(
    'OWNERSHIP_REQUIRED',
    "Only the forecast's creator and the owner of its workspace can delete it. Ask one of them.",
  );
}

/** Returns the fault for a member that would hide a forecast of another from the workspace, like a deletion. */
export function onlyCreatorMakesPrivate(): Fault {
  return new Fault(
    'OWNERSHIP_REQUIRED',
    'visibility: only the creator of a forecast can make it private, because every other member would lose it. Ask the creator.',
  );
}

export function guestCannotPublish(): Fault {
  return new Fault(
    'ACCOUNT_REQUIRED',
    'visibility: guests cannot make a forecast public. Choose private, or sign in first.',
  );
}

export function forecastChanged(): Fault {
  return new Fault(
    'PRECONDITION_FAILED',
    'If-Match: the forecast is not in this version now. Read it again, check the change and send the ETag of that response.',
  );
}

export function horizonTooLong(max: number): Fault {
  return new Fault('INVALID_REQUEST', `horizon: your plan allows at most ${max}.`);
}

/** Returns the fault for a stored forecast whose horizon exceeds the current limit of the plan. */
export function originalHorizonTooLong(horizon: number, max: number): Fault {
  const message = `The forecast has a horizon of ${horizon}; your plan now allows at most ${max}. Create a forecast with a shorter horizon.`;
  return new Fault('PLAN_REQUIRED', message);
}

export function workspaceIdRequired(): Fault {
  return new Fault('INVALID_REQUEST', 'visibility: "workspace" requires a workspace_id.');
}

export function workspaceForecastRequired(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'visibility: "workspace" requires a forecast in a workspace, and this one is in none. Choose private or public.',
  );
}

/** @param isCaller whether the caller pays; otherwise the owner of the workspace does */
export function slotsTaken(slots: number, isCaller: boolean): Fault {
  const owner = isCaller ? 'You' : 'The owner of the workspace';
  const forecasts = slots === 1 ? 'one forecast' : `${slots} forecasts`;
  const message = `${owner} can have ${forecasts} queued or running. No slot is left for this one. Wait for one to finish or cancel one.`;
  return new Fault('QUOTA_EXCEEDED', message, { retryAfter: SLOT_RETRY_SECONDS });
}

export function networkSlotsTaken(slots: number): Fault {
  const message = `The guests of your network can have ${slots} forecasts queued or running. No slot is left for this one. Wait for one to finish or sign in.`;
  return new Fault('QUOTA_EXCEEDED', message, { retryAfter: SLOT_RETRY_SECONDS });
}

/** Does not state the cost of the forecast, because the cost is unknown until the rows are read. */
export function noCreditsLeft(limit: number, now: Date): Fault {
  const message = `0 of your ${limit} credits for this month are left, and every forecast costs credits. New credits are available on the first of next month (UTC).`;
  return creditFault(message, now);
}

export function tooFewCredits(
  { needed, left, limit }: { readonly needed: number; readonly left: number; readonly limit: number },
  now: Date,
): Fault {
  const message = `This forecast costs ${needed} credits; ${left} of your ${limit} credits for this month are left. Use fewer models, fewer rows or manual weights.`;
  return creditFault(message, now);
}

/** Does not state how many credits the owner has, because the members of its workspace must not learn that. */
export function ownerLacksCredits(now: Date): Fault {
  return creditFault(
    'The owner of the workspace does not have enough credits for this forecast. Use fewer models, fewer rows or manual weights, or ask the owner.',
    now,
  );
}

/** @param credits.needed the cost of the forecast; null if it is unknown because no rows were read */
export function memberLacksCredits(
  { limit, left, needed }: { readonly limit: number; readonly left: number; readonly needed: number | null },
  now: Date,
): Fault {
  const cost = needed === null ? 'every forecast costs credits' : `this forecast costs ${needed}`;
  const message = `member_credits: each member can use ${limit} credits a month in this workspace. You have ${left} left, and ${cost}. The owner of the workspace can raise the limit.`;
  return creditFault(message, now);
}

function creditFault(message: string, now: Date): Fault {
  const retryAfter = Math.ceil((creditPeriod(now).end.getTime() - now.getTime()) / 1000);
  return new Fault('QUOTA_EXCEEDED', message, { retryAfter });
}

export function snapshotRemoved(): Fault {
  return new Fault(
    'UNAVAILABLE',
    'The frozen rows were removed before the forecast was queued. Send the request again.',
  );
}

/** Returns the fault for a canceled or failed forecast whose frozen rows were removed. */
export function frozenRowsRemoved(removedAt: string): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `The snapshot of this forecast was removed at ${removedAt}. The snapshots of canceled and failed forecasts are removed when they are old or when their storage is needed. Create a forecast instead.`,
  );
}

export function inlineRowsDenied(): Fault {
  return new Fault(
    'SOURCE_DENIED',
    'The rows of this forecast were sent with its request. Only the caller that sent them and members of its workspace can read them.',
  );
}

export function idempotencyMismatch(): Fault {
  return new Fault(
    'IDEMPOTENCY_MISMATCH',
    'Idempotency-Key: this key was used with a different request. Send a new key.',
  );
}

export function emptySeries(): Fault {
  return new Fault('INSUFFICIENT_HISTORY', 'source: the series has no rows.');
}

/** @param problem a sentence of the engine or the calendar */
export function insufficientHistory(problem: string): Fault {
  return new Fault('INSUFFICIENT_HISTORY', problem);
}

/** @param problem what is wrong with the field, including the final period */
export function invalidField(field: string, problem: string): Fault {
  return new Fault('INVALID_REQUEST', `${field}: ${problem}`);
}

/** @param problem a sentence of the engine */
export function unsupportedQuantiles(problem: string): Fault {
  return new Fault('UNPROCESSABLE', `quantiles: ${problem}`);
}

export function unknownFrequency(frequency: string): Fault {
  const name = JSON.stringify(frequency);
  return new Fault(
    'INVALID_REQUEST',
    `frequency: ${name} is not a frequency. Use one of those that GET /v1/forecast/models lists.`,
  );
}

export function otherFrequency(actual: string): Fault {
  return contradictedFrequency(`the series is ${actual}. Omit frequency or set it to ${actual}.`);
}

/** @param problem how the rows contradict the frequency, including the final period */
export function contradictedFrequency(problem: string): Fault {
  return new Fault('UNPROCESSABLE', `frequency: ${problem}`);
}

/** @param remedy how the operator installs a checkpoint */
export function modelWithoutCheckpoint(model: string, remedy: string): Fault {
  return new Fault('INVALID_REQUEST', `models: ${model} has no usable checkpoint on this service. ${remedy}`);
}

/** @param problem which checkpoints are missing and how the operator installs them */
export function checkpointUnavailable(problem: string): Fault {
  return new Fault('UNPROCESSABLE', `CHECKPOINT_UNAVAILABLE: ${problem}`);
}

export function notCompleted(status: ForecastStatus): Fault {
  return new Fault('NOT_COMPLETED', `The forecast has the status ${status}; only a completed forecast can be saved.`);
}

export function guestRequired(): Fault {
  return new Fault(
    'OWNERSHIP_REQUIRED',
    'Only the guest that created a forecast can prepare to save it, before signing in. An account saves its own forecast directly.',
  );
}

export function privateRequired(visibility: Visibility): Fault {
  return new Fault(
    'OWNERSHIP_REQUIRED',
    `The forecast is ${visibility}; only a private forecast can be saved this way. Sign in and reproduce it to get a copy of your own.`,
  );
}

export function saveProofUnusable(): Fault {
  return new Fault(
    'OWNERSHIP_REQUIRED',
    'The proof from prepare-save has expired, was replaced by a newer one or was used by another account. If the forecast is not saved yet, send prepare-save again from the browser that created it.',
  );
}

export function ownedByAnother(canReproduce: boolean): Fault {
  const remedy = canReproduce ? ' Reproduce it to get a copy of your own.' : '';
  return new Fault('OWNERSHIP_REQUIRED', `The forecast belongs to another caller, who alone can save it.${remedy}`);
}

export function cutoffRequired(): Fault {
  return new Fault('INVALID_REQUEST', 'cutoff: is required with as_known_at_cutoff.');
}

export function cutoffInFuture(): Fault {
  return new Fault('INVALID_REQUEST', 'cutoff: must not be in the future with as_known_at_cutoff.');
}

export function vintageWithKnownAtCutoff(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'source.vintage: follows from the cutoff with as_known_at_cutoff. Send only one of the two.',
  );
}

export function vintagesMissing(): Fault {
  return new Fault(
    'UNPROCESSABLE',
    'as_known_at_cutoff: this source has no vintages. Only economic series whose description has vintages do.',
  );
}

export function outcomeNotCompleted(status: ForecastStatus): Fault {
  return new Fault('NOT_COMPLETED', `The forecast has the status ${status}; only a completed forecast has an outcome.`);
}

export function outcomeCollected(): Fault {
  return new Fault(
    'UNPROCESSABLE',
    'The outcome of this forecast is read from its source. Only the outcomes of forecasts of inline rows and of workspace files can be sent.',
  );
}

export function outcomeStepUnknown(index: number, timestamp: Date): Fault {
  return invalidField(
    `points[${index}].timestamp`,
    `the forecast has no prediction for ${timestamp.toISOString()}. Send the timestamps of its predictions.`,
  );
}

export function outcomeTimeRepeated(index: number): Fault {
  return invalidField(`points[${index}].timestamp`, 'appears twice. Send each timestamp once.');
}

export function outcomeValueTooLarge(index: number, max: number): Fault {
  return invalidField(`points[${index}].value`, `must be between -${max} and ${max}.`);
}

export function outcomeNotFinal(index: number, timestamp: Date, finalAt: Date): Fault {
  const message = `points[${index}]: the value of ${timestamp.toISOString()} is final at ${finalAt.toISOString()}. Send it then.`;
  return new Fault('UNPROCESSABLE', message);
}

export function outcomeRecorded(index: number, timestamp: Date, actual: number): Fault {
  const message = `points[${index}]: the value of ${timestamp.toISOString()} is recorded as ${actual}. Recorded values are not changed.`;
  return new Fault('CONFLICT', message);
}

export function outcomeComplete(): Fault {
  return new Fault('CONFLICT', 'The outcome is complete: its last step is recorded. No rows can be added to it.');
}

export function outcomeBusy(): Fault {
  return new Fault('UNAVAILABLE', 'Other requests are changing this outcome. Send the request again.', {
    retryAfter: 1,
  });
}
