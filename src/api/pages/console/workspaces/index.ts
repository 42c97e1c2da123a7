import type { ConsoleRoute } from '../visit.ts';
import { deletePage } from './delete.ts';
import { answerPage } from './invitations.ts';
import { invitePage } from './invite.ts';
import { memberPage } from './member.ts';
import { leavePage, removePage } from './remove.ts';
import { settingsPage } from './settings.ts';
import { transferPage } from './transfer.ts';
import { workspacePage } from './workspace-page.ts';
import { workspacesPage } from './workspaces-page.ts';

/** The pages of workspaces and their members. */
export const WORKSPACE_PAGES: readonly ConsoleRoute[] = [
  workspacesPage,
  answerPage,
  workspacePage,
  invitePage,
  memberPage,
  removePage,
  leavePage,
  settingsPage,
  transferPage,
  deletePage,
];
