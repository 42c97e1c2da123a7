import { CHECKPOINT_FAULTS, CheckpointError } from '../checkpoints/checkpoint-error.ts';
import type { Unavailable } from './messages.ts';

/** Why a checkpoint cannot be used: for whoever asked, without what errors quote (paths above all), and for the log. */
export function whyUnavailable(error: unknown): Unavailable {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof CheckpointError) return { reason: CHECKPOINT_FAULTS[error.code], detail };
  return { reason: 'its files make no model that runs here', detail };
}
