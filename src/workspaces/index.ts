export { addCollaborator } from './collaborators/add-collaborator.ts';
export { listCollaborators } from './collaborators/list-collaborators.ts';
export { removeCollaborator } from './collaborators/remove-collaborator.ts';
export { updateCollaborator } from './collaborators/update-collaborator.ts';
export type { CollaboratorView } from './collaborators/view-collaborator.ts';
export type { WorkspaceContext } from './context.ts';
export { createWorkspace } from './create-workspace.ts';
export type { CsvContext } from './csv/context.ts';
export { deleteCsvFile } from './csv/delete-csv-file.ts';
export { exportCsvFile } from './csv/export-csv-file.ts';
export { listCsvFiles } from './csv/list-csv-files.ts';
export { readCsvFile } from './csv/read-csv-file.ts';
export type { DeclaredCsv } from './csv/reading/csv-reader.ts';
export { createCsvSource } from './csv/series/csv-source.ts';
export { removeAbandonedUploads } from './csv/upload/remove-upload.ts';
export { uploadCsvFile } from './csv/upload/upload-csv-file.ts';
export { viewCsvFile, viewListedCsvFile } from './csv/view-csv-file.ts';
export { deleteWorkspace } from './delete-workspace.ts';
export { effectivePlan } from './effective-plan.ts';
export { type FoundMembership, findMembership } from './find-membership.ts';
export type { InvitationName, OpenInvitation } from './invitations/find-invitation.ts';
export { hasJoined } from './invitations/has-joined.ts';
export { INVITATION_MAILS, requestInvitationMailThrough } from './invitations/mail-jobs.ts';
export { readInvitation } from './invitations/read-invitation.ts';
export { redeemInvitation } from './invitations/redeem-invitation.ts';
export { removeOldInvitations } from './invitations/remove-old-invitations.ts';
export { sendInvitation } from './invitations/send-invitation.ts';
export { MAX_JOINED, MAX_OWNED } from './limits.ts';
export { listMemberships } from './list-memberships.ts';
export type { MembershipView } from './membership-view.ts';
export { workspaceMigrations } from './migrations/index.ts';
export { openPersonalWorkspace } from './open-personal-workspace.ts';
export { lockPlace, lockWorkspace, requireAllowed, requirePlace, workspaceDenied } from './place.ts';
export { readWorkspace } from './read-workspace.ts';
export { renameWorkspace } from './rename-workspace.ts';
export { addToOwnScope, dropFromScopes, type ScopePart } from './scopes.ts';
export { listShownMemberships } from './show-memberships.ts';
export type {
  WorkspaceInvitationTable,
  WorkspaceMemberTable,
  WorkspaceTable,
  WorkspaceTables,
} from './tables.ts';
export { transferWorkspace } from './transfer-workspace.ts';
