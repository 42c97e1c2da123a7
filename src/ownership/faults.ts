import { Fault } from '../contract/index.ts';

export function sharedWorkspacesOwned(slugs: readonly string[]): Fault {
  const workspaces = slugs.length === 1 ? `the workspace ${slugs[0]}, which has` : `workspaces that have`;
  const list = slugs.length === 1 ? '' : `: ${slugs.join(', ')}`;
  return new Fault(
    'CONFLICT',
    `The account owns ${workspaces} other members${list}. Transfer or delete it first, or remove the members.`,
  );
}

export function accountInUse(): Fault {
  return new Fault('CONFLICT', 'A request of the account ran at the same time. Nothing was removed. Try again.');
}

export function accountGone(): Fault {
  return new Fault('NOT_FOUND', 'The account no longer exists. Another request has removed it.');
}

export function passwordChangedMeanwhile(): Fault {
  return new Fault(
    'CONFLICT',
    'The password of the account was changed at the same time. Nothing was removed. Try again with the new password.',
  );
}

/** @param missing the ids that cannot be kept */
export function notKeepable(missing: readonly string[]): Fault {
  const named = missing.slice(0, 3).join(', ');
  const rest = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  return new Fault(
    'INVALID_REQUEST',
    `keep_public: ${named}${rest} cannot stay, because only completed public forecasts of the account can. Nothing was removed. Read GET /v1/me/erasure for the list.`,
  );
}
