export { effectivePlan } from './effective-plan.ts';
export { listMemberships } from './list-memberships.ts';
export { workspaceMigrations } from './migrations/index.ts';
export { openPersonalWorkspace } from './open-personal-workspace.ts';
export type { WorkspaceMemberTable, WorkspaceTable, WorkspaceTables } from './tables.ts';
