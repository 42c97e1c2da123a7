import { Fault, formatBytes } from '../contract/index.ts';
import type { StorageBudget } from './stored-bytes.ts';

export function sourceTypeUnavailable(type: string): Fault {
  return new Fault('UNPROCESSABLE', `source.type: ${type} is not available on this service. Use another type.`);
}

/** @param isCaller whether the caller pays; otherwise the owner of the workspace does */
export function storageExceeded({ kind, limit }: StorageBudget, isCaller: boolean): Fault {
  const size = formatBytes(limit);
  return new Fault('LIMIT_REACHED', isCaller ? CALLER_MESSAGES[kind](size) : MEMBER_MESSAGES[kind](size));
}

const FIRST = 'Delete forecasts (DELETE /v1/ensemble-forecasts/{id})';

const CALLER_MESSAGES: Readonly<Record<StorageBudget['kind'], (size: string) => string>> = {
  guest: (size) => `A guest can store at most ${size} of snapshots and results. ${FIRST} or sign in.`,
  network: (size) =>
    `All guests of your network together can store at most ${size} of snapshots and results. Sign in, or delete forecasts of yours (DELETE /v1/ensemble-forecasts/{id}).`,
  workspace: (size) =>
    `A workspace can store at most ${size} of files, snapshots and results. ${FIRST} or files of this workspace first.`,
  account: (size) =>
    `Your plan allows at most ${size} of files, snapshots and results in your forecasts and all your workspaces. ${FIRST} or files first.`,
};

/** The messages do not state how much the owner stores elsewhere, because members must not learn that. */
const MEMBER_MESSAGES: Readonly<Record<StorageBudget['kind'], (size: string) => string>> = {
  ...CALLER_MESSAGES,
  account: () =>
    'The owner of the workspace has no storage left. Delete forecasts or files of this workspace first, or ask the owner.',
};
