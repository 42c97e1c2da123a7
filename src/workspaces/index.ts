export { leaveWorkspaces, listOwnedWorkspaces, lockWorkspaces, type OwnedWorkspace } from './account-workspaces.ts';
export { addCollaborator } from './collaborators/add-collaborator.ts';
export { type CollaboratorView, listCollaborators } from './collaborators/list-collaborators.ts';
export { removeCollaborator } from './collaborators/remove-collaborator.ts';
export { updateCollaborator } from './collaborators/update-collaborator.ts';
export type { CountedContents, RemovedContents, WorkspaceContext } from './context.ts';
export { createPersonalWorkspace, createWorkspace } from './create-workspace.ts';
export { checkFiles } from './csv/check-files.ts';
export { deleteCsvFile } from './csv/delete-csv-file.ts';
export { exportCsvFile } from './csv/export-csv-file.ts';
export type { CsvContext, UploadContext } from './csv/find-csv-file.ts';
export { listCsvFiles, viewCsvFile, viewListedCsvFile } from './csv/list-csv-files.ts';
export { readCsvBytes, type SeriesFields, type UnstoredCsv } from './csv/read-csv-bytes.ts';
export { readCsvFile } from './csv/read-csv-file.ts';
export { readCsvSeries } from './csv/read-csv-series.ts';
export type { DeclaredCsv } from './csv/reading/csv-reader.ts';
export { MOVABLE_CHUNKS } from './csv/row-chunks.ts';
export { assignRowTimestamps, type DatedRows } from './csv/series/assign-row-timestamps.ts';
export { createCsvSource } from './csv/series/csv-source.ts';
export type { CollectedRows } from './csv/series/read-cells.ts';
export { readOwnedFileBytes } from './csv/storage.ts';
export { removeAbandonedUploads } from './csv/upload/pending-upload.ts';
export { uploadCsvFile } from './csv/upload/upload-csv-file.ts';
export { deleteWorkspace, removeWorkspace } from './delete-workspace.ts';
export { invitationNotFound, workspaceDenied } from './faults.ts';
export { acceptInvitation } from './invitations/accept-invitation.ts';
export { declineInvitation } from './invitations/decline-invitation.ts';
export { type InvitationListContext, type InvitationView, listInvitations } from './invitations/list-invitations.ts';
export { hasAccepted, type InvitationKey, type OpenInvitation, readInvitation } from './invitations/read-invitation.ts';
export {
  createInvitationMailRequester,
  INVITATION_MAIL_KEY,
  removeOldInvitations,
  sendInvitation,
} from './invitations/send-invitation.ts';
export { MAX_JOINED_WORKSPACES, MAX_OWNED_WORKSPACES } from './limits.ts';
export {
  type FoundMembership,
  findMembership,
  lockMembership,
  lockWorkspace,
  ownedWorkspaces,
  readOwnerPlan,
  readStoredScope,
  requireMembership,
  requirePermission,
} from './memberships.ts';
export { workspaceMigrations } from './migrations/index.ts';
export { readWorkspaceContents } from './read-contents.ts';
export { addToOwnScope, removeFromScopes, type ScopePart } from './scopes.ts';
export { accountBudget, workspaceBudget } from './storage-budgets.ts';
export type {
  WorkspaceInvitationTable,
  WorkspaceMemberTable,
  WorkspaceTable,
  WorkspaceTables,
} from './tables.ts';
export {
  type OfferedWorkspace,
  readTransfer,
  type TransferView,
  transferWorkspace,
  withdrawTransfer,
} from './transfer-workspace.ts';
export { updateWorkspace, type WorkspaceChange } from './update-workspace.ts';
export { listMemberships, listVisibleMemberships, type MembershipView, readWorkspace } from './workspace-views.ts';
