import type { OperationId } from '../../src/contract/index.ts';
import { ACCOUNT_ROWS } from './account-rows.ts';
import { ADMINISTRATION_ROWS } from './administration-rows.ts';
import { FORECAST_ROWS } from './forecast-rows.ts';
import type { Row } from './row.ts';
import { WEBHOOK_ROWS } from './webhook-rows.ts';
import { WORKSPACE_ROWS } from './workspace-rows.ts';

/** Every operation as every caller. A new operation without a row does not compile. */
export const ROWS: Record<OperationId, Row> = {
  ...ACCOUNT_ROWS,
  ...FORECAST_ROWS,
  ...WORKSPACE_ROWS,
  ...WEBHOOK_ROWS,
  ...ADMINISTRATION_ROWS,
};
