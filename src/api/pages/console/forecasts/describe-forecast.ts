import type { SourceReference } from '../../../../contract/index.ts';
import { describeSource } from '../../forecast/describe-source.ts';
import { formatRatio, formatShare } from '../../format.ts';
import type { Tone } from '../states.ts';
import type { ListedForecast } from './read-list.ts';

/** The state of a forecast in words. */
export interface StateWords {
  readonly label: string;
  readonly tone: Tone | null;
  /** What the state means for the reader; null if the label is enough. */
  readonly detail: string | null;
  /** How many of the models are done, while the forecast runs. */
  readonly progress: { readonly done: number; readonly total: number } | null;
}

type Stateful = Pick<ListedForecast, 'status' | 'progress' | 'error'>;

const CANCELED = 'FORECAST_CANCELED';

/** Returns the state of a forecast in words. @param modelNames the names of the models by their ids */
export function describeState(
  { status, progress, error }: Stateful,
  modelNames: ReadonlyMap<string, string> = new Map(),
): StateWords {
  if (status === 'queued')
    return { label: 'Queued', tone: null, detail: 'It starts when a worker is free.', progress: null };
  if (status === 'completed') return { label: 'Completed', tone: 'good', detail: null, progress: null };
  if (status === 'failed') {
    if (error?.code === CANCELED) return { label: 'Canceled', tone: null, detail: null, progress: null };
    return { label: 'Failed', tone: 'bad', detail: error?.message ?? null, progress: null };
  }
  const { completed_models: done = 0, total_models: total = 0, current_model } = progress ?? {};
  const label = total > 0 ? `Running: ${done} of ${total} models` : 'Running';
  const name = current_model ? (modelNames.get(current_model) ?? current_model) : null;
  return { label, tone: 'info', detail: name && `Now ${name}`, progress: total > 0 ? { done, total } : null };
}

/**
 * Compares a loss with that of the seasonal naive forecast, in words.
 *
 * @param relative the loss divided by that of the seasonal naive forecast
 */
export function compareLoss(relative: number): string {
  if (relative >= 2) return `${formatRatio(relative)} times the loss of the seasonal naive forecast`;
  const percent = formatShare(Math.abs(1 - relative), 0);
  if (percent === '0%') return 'about the loss of the seasonal naive forecast';
  return `${percent} ${relative < 1 ? 'less' : 'more'} loss than the seasonal naive forecast`;
}

/**
 * Returns the score of a forecast in words: what its outcome shows so far, and what its validation showed.
 *
 * @param isOver whether the last period is over
 */
export function describeScore(
  { score, status, source }: Pick<ListedForecast, 'score' | 'status' | 'source'>,
  isOver: boolean,
): {
  readonly outcome: string | null;
  readonly validation: string | null;
} {
  const { validation_wql: wql } = score;
  return {
    outcome:
      status === 'completed'
        ? describeOutcome(score, isOver && source !== null && source.type !== 'workspace_csv')
        : null,
    validation: wql === null ? null : `Validation loss ${formatRatio(wql)} (WQL)`,
  };
}

function describeOutcome(
  { outcome_status, average_wql, relative_wql }: ListedForecast['score'],
  isAwaited: boolean,
): string {
  const isPartial = outcome_status !== 'complete';
  if (relative_wql !== null) return `${isPartial ? 'So far ' : 'Outcome: '}${compareLoss(relative_wql)}`;
  if (average_wql !== null)
    return `${isPartial ? 'Loss so far' : 'Loss of the outcome'} ${formatRatio(average_wql)} (WQL)`;
  if (outcome_status === 'unavailable') return 'The outcome cannot be read';
  if (outcome_status === 'complete') return 'The outcome has no scored row';
  if (outcome_status === 'partial' || !isAwaited) return 'No outcome yet';
  return 'Its periods are over; due values are read every few minutes';
}

/** Returns what a source is, in words for its owner. */
export function describeOwnSource(source: SourceReference | null): string {
  if (source?.type === 'workspace_csv') return `The column ${source.value_field} of a workspace file`;
  return describeSource(source);
}

const VISIBILITIES = { private: 'Private', workspace: 'Workspace', public: 'Public' } as const;

/** Returns which callers see a forecast, in words. @param workspace the name of its workspace, if it is known */
export function describeVisibility(
  { visibility, workspace_id }: Pick<ListedForecast, 'visibility' | 'workspace_id'>,
  workspace: string | undefined,
): string {
  if (visibility === 'workspace' && workspace !== undefined) return `Shared in ${workspace}`;
  if (workspace_id !== null && workspace !== undefined) return `${VISIBILITIES[visibility]}, in ${workspace}`;
  return VISIBILITIES[visibility];
}
