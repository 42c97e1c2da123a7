import { Fault } from '../contract/fault.ts';
import type { ErrorCode } from '../contract/index.ts';

// Workspaces and memberships

/**
 * Returns the fault for a missing workspace or membership. It is the same for both, so that it does not reveal which
 * workspaces exist.
 */
export function workspaceDenied(): Fault {
  return new Fault('WORKSPACE_DENIED', 'The workspace does not exist, or you are not a member of it.');
}

/** @param account the subject of the message, such as "Your account" or "The present owner" */
export function ownedWorkspacesLimitReached(account: string, max: number): Fault {
  return new Fault(
    'LIMIT_REACHED',
    `${account} owns ${max} workspaces, which is the limit. Delete or transfer one first.`,
  );
}

/** @param account as in `ownedWorkspacesLimitReached` */
export function joinedWorkspacesLimitReached(account: string, max: number): Fault {
  return new Fault(
    'LIMIT_REACHED',
    `${account} is a member of ${max} workspaces of other owners, which is the limit. It must leave one first.`,
  );
}

export function personalWorkspaceNotDeletable(): Fault {
  return new Fault('CONFLICT', 'Your personal workspace cannot be deleted. It exists as long as your account.');
}

export function personalWorkspaceNotTransferable(): Fault {
  return new Fault(
    'CONFLICT',
    'Your personal workspace cannot be transferred. Create another workspace and transfer that one.',
  );
}

export function newOwnerNotFound(): Fault {
  return new Fault('NOT_FOUND', 'collaborator_id: no member of this workspace has this id.');
}

export function alreadyOwner(): Fault {
  return new Fault('CONFLICT', 'collaborator_id: this member already owns the workspace.');
}

export function newOwnerNotVerified(): Fault {
  return new Fault(
    'CONFLICT',
    "collaborator_id: this member's email address is not verified. Only a member with a verified address can own a workspace.",
  );
}

export function transferNotFound(): Fault {
  return new Fault('NOT_FOUND', 'This workspace has no open transfer.');
}

// Collaborators and invitations

/** Returns the fault for every invitation that the caller cannot answer, whether or not it exists. */
export function invitationNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No open invitation to your verified email address has this id.');
}

export function collaboratorNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No member or open invitation of this workspace has this id.');
}

export function ownerNotChangeable(): Fault {
  return new Fault(
    'CONFLICT',
    'The owner cannot be changed or removed. Transfer the workspace to another member first.',
  );
}

export function alreadyMember(email: string): Fault {
  return new Fault('CONFLICT', `email: ${email} is already a member of this workspace.`);
}

export function alreadyInvited(email: string): Fault {
  return new Fault('CONFLICT', `email: ${email} is already invited. Remove the invitation to send another one.`);
}

export function collaboratorLimitReached(max: number): Fault {
  return new Fault(
    'LIMIT_REACHED',
    `The workspace has ${max} members and open invitations, which is the limit. Remove one first.`,
  );
}

export function tooManyInvitations(perWorkspace: number, perAccount: number, retryAfter: number): Fault {
  return new Fault(
    'RATE_LIMITED',
    `At most ${perWorkspace} invitations an hour can be sent for a workspace, and ${perAccount} by one account. Wait ${retryAfter} s.`,
    { retryAfter },
  );
}

/**
 * @param field the path of the id in the request
 * @param resource "file" or "forecast"
 */
export function unknownScopeId(field: string, resource: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `${field}: this workspace has no ${resource} with this id that you can read. Take the id from the workspace's list.`,
  );
}

/** @param resources "files" or "forecasts" */
export function scopeFull(resources: string, max: number): Fault {
  return new Fault(
    'LIMIT_REACHED',
    `Your resource scope in this workspace lists ${max} ${resources}, which is the limit. Ask the owner for the scope "all".`,
  );
}

// Files

export function csvFileNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No file of this workspace has this id.');
}

export function replacedFileNotFound(): Fault {
  return new Fault(
    'NOT_FOUND',
    'replaces: no file of this workspace has this id. It may have been replaced or deleted. Leave the parameter out to store a new file.',
  );
}

export function csvCursorInvalid(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'cursor: was not issued for this file. Leave it out to start with the first row.',
  );
}

export function csvCursorWithLine(): Fault {
  return new Fault('INVALID_REQUEST', 'line: cannot be combined with cursor. Leave one of them out.');
}

/** @param limit the limit that was reached, such as "200 files" */
export function csvStorageFull(limit: string): Fault {
  return new Fault('LIMIT_REACHED', `A workspace can hold at most ${limit}. Delete a file first.`);
}

export function tooManyUploads(max: number, retryAfter: number): Fault {
  return new Fault(
    'RATE_LIMITED',
    `At most ${max} files can be uploaded to a workspace at the same time. Wait for one to finish.`,
    { retryAfter },
  );
}

export function uploadAbandoned(): Fault {
  return new Fault('UNAVAILABLE', 'The upload took too long and was discarded. Send the file again.');
}

/**
 * Returns the fault for a mistake on one line of a file. Lines are counted from 1.
 *
 * @param text the line, if it is known
 */
export function lineFault(line: number, finding: string, text = ''): Fault {
  const excerpt = text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT - 1).toWellFormed()}…` : text;
  return new Fault('INVALID_REQUEST', `line ${line}: ${finding}`, excerpt === '' ? {} : { excerpt });
}

const MAX_EXCERPT = 200;

/** Returns a cell for a message, in quotes and shortened if it is long. */
export function quoteCell(cell: string): string {
  return JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
}

// Series from files

/** @param field `time_field` or `value_field` */
export function sourceFieldInvalid(field: string, reason: string): Fault {
  return new Fault('INVALID_REQUEST', `source.${field}: ${reason}`);
}

export function sourceInvalid(reason: string): Fault {
  return new Fault('INVALID_REQUEST', `source: ${reason}`);
}

export function tooFewRows(count: number, min: number): Fault {
  return new Fault(
    'INSUFFICIENT_HISTORY',
    `source: the file has ${count === 1 ? '1 row' : `${count} rows`} with a value. At least ${min} are needed.`,
  );
}

export function csvAccountRequired(code: ErrorCode): Fault {
  return new Fault(code, 'source: only members of a workspace can read its files. Use an account.');
}

export function csvScopeMissing(code: ErrorCode, missingScope: string): Fault {
  return new Fault(code, `source: reading a file of a workspace requires the scope ${missingScope}.`, { missingScope });
}

/**
 * Returns the fault for a caller that can read the forecast and its settings, which name the file, but may not use the
 * rows.
 */
export function frozenRowsDenied(): Fault {
  return new Fault(
    'WORKSPACE_DENIED',
    'The rows come from a file of a workspace. Only members who can read that file can use them again.',
  );
}

export function frozenRowsAccountRequired(code: ErrorCode): Fault {
  return new Fault(
    code,
    'The rows come from a file of a workspace. Only an account that is a member of it can use them again.',
  );
}

export function frozenRowsScopeMissing(code: ErrorCode, missingScope: string): Fault {
  return new Fault(
    code,
    `The rows come from a file of a workspace. Using them again requires the scope ${missingScope}.`,
    { missingScope },
  );
}
