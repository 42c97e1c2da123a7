import { forecastsIn, privateToOthers, removeForecastsIn } from '../forecasts/index.ts';
import { type IdentityContext, requestMailThrough } from '../identity/index.ts';
import { type Database, systemClock } from '../platform/index.ts';
import { removeEventsIn } from '../scout/index.ts';
import { openPersonalWorkspace, requestInvitationMailThrough, type WorkspaceContext } from '../workspaces/index.ts';
import { NO_QUEUE } from './missing-parts.ts';

/** Without a queue everything but what sends mails. */
export function identityOf(database: Database, queue = NO_QUEUE): IdentityContext {
  return {
    database,
    clock: systemClock,
    onAccountCreated: openPersonalWorkspace,
    requestMail: requestMailThrough(queue),
  };
}

/** Workspaces with what higher floors keep in them. Without a queue everything but what sends mails or ends jobs. */
export function workspacesOf(database: Database, queue = NO_QUEUE): WorkspaceContext {
  return {
    database,
    clock: systemClock,
    requestMail: requestInvitationMailThrough(queue),
    onWorkspaceRemoved: async (tx, workspaceId, now) => {
      await removeForecastsIn({ queue }, tx, workspaceId, now);
      await removeEventsIn(tx, workspaceId);
    },
    forecastsIn,
    privateToOthers,
  };
}
