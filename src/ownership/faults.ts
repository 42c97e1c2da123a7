import { Fault } from '../contract/index.ts';

/** @param shared the workspaces with other members. A personal workspace can be neither transferred nor deleted. */
export function sharedWorkspacesOwned(
  shared: readonly { readonly slug: string; readonly is_personal: boolean }[],
): Fault {
  const slugs = shared.map(({ slug }) => slug);
  const workspaces = slugs.length === 1 ? `the workspace ${slugs[0]}, which has` : `workspaces that have`;
  const list = slugs.length === 1 ? '' : `: ${slugs.join(', ')}`;
  return new Fault('CONFLICT', `The account owns ${workspaces} other members${list}. ${remedyFor(shared)}`);
}

function remedyFor(shared: readonly { readonly is_personal: boolean }[]): string {
  if (shared.every(({ is_personal }) => is_personal)) return 'Remove the members of this personal workspace first.';
  const personal = shared.some(({ is_personal }) => is_personal)
    ? ' From a personal workspace, the members can only be removed.'
    : '';
  return `Transfer or delete ${shared.length === 1 ? 'it' : 'each'} first, or remove the members.${personal}`;
}

export function lastAdministrator(): Fault {
  return new Fault(
    'CONFLICT',
    'The account is the only administrator of this service. Make another account an administrator first (PATCH /v1/admin/users/{id}), so that one always remains. Nothing was removed.',
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
