import type { OperationId } from '../operations.ts';
import { ACCOUNT_EXAMPLES } from './account.ts';
import { DATA_EXAMPLES } from './data.ts';
import type { Example, Examples } from './example.ts';
import { FORECAST_EXAMPLES } from './forecasts.ts';
import { WEBHOOK_EXAMPLES } from './webhooks.ts';
import { WORKSPACE_EXAMPLES } from './workspaces.ts';

/** One example of each operation. */
export const EXAMPLES: Readonly<Record<OperationId, Example>> = {
  ...ACCOUNT_EXAMPLES,
  ...DATA_EXAMPLES,
  ...FORECAST_EXAMPLES,
  ...WORKSPACE_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
} satisfies Examples;
