import type { ForecastContext } from '../forecasts/index.ts';
import type { WorkspaceContext } from '../workspaces/index.ts';

/** What is needed to erase an account with everything that it owns. */
export type OwnershipContext = Pick<WorkspaceContext, 'database' | 'clock' | 'onWorkspaceRemoved'> &
  Pick<ForecastContext, 'queue'>;
