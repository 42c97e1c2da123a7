import type { OperationId } from '../../src/contract/index.ts';
import { createApiKey, type IdentityContext } from '../../src/identity/index.ts';
import { makeAccount, PASSWORD } from '../support/callers.ts';
import { type Answers, accountsWith, anyone, guestsAndAccountsWith } from './answers.ts';
import type { Caller } from './callers.ts';

export interface Row {
  readonly answers: Answers;
  /** What to ask with, so that nothing but the caller can be a reason for a refusal. Default: nothing is needed. */
  readonly request?: (identity: IdentityContext, caller: Caller) => Promise<Request>;
}

export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const DATA_READERS = guestsAndAccountsWith('datasets:read', 200);
const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };

/** What is somebody else's, or nobody's, is not there for anybody. */
const NOBODYS = async () => ({ params: { forecast_id: 'ef_00000000000000000000000000' } });
const NO_FORECAST_TO_READ: Row = {
  answers: guestsAndAccountsWith('forecasts:read', '404 NOT_FOUND'),
  request: NOBODYS,
};
const NO_FORECAST_TO_CHANGE: Row = {
  answers: guestsAndAccountsWith('forecasts:write', '404 NOT_FOUND'),
  request: NOBODYS,
};
const DAYS = Array.from({ length: 10 }, (_, i) => ({
  timestamp: new Date(Date.UTC(2024, 0, 1 + i)).toISOString(),
  value: i,
}));

/** Every operation as every caller. A new operation without a row here does not compile. */
export const ROWS: Record<OperationId, Row> = {
  readAccess: { answers: accountsWith('account:read', 200) },

  listApiKeys: { answers: accountsWith('account:read', 200) },
  createApiKey: {
    answers: accountsWith('account:read', 201),
    request: async () => ({ body: { name: 'made in a test' } }),
  },
  revokeApiKey: {
    answers: accountsWith('account:read', 200),
    request: async (identity, caller) => {
      const accountId = caller.accountId ?? (await makeAccount(identity, { password: null })).id;
      const { id } = await createApiKey(identity, { accountId, name: 'to revoke', scopes: ['account:read'] });
      return { params: { key_id: id } };
    },
  },

  createSession: {
    answers: anyone(201),
    request: async (identity) => {
      const { email } = await makeAccount(identity);
      return { body: { email, password: PASSWORD } };
    },
  },
  endSession: { answers: anyone(200) },
  listSessions: { answers: accountsWith('account:read', 200) },
  endOtherSessions: { answers: accountsWith('account:read', 200) },
  createGuestSession: { answers: anyone(201) },

  createForecast: {
    answers: guestsAndAccountsWith('forecasts:write', 202),
    request: async () => ({ body: { source: { type: 'inline', points: DAYS }, horizon: 3 } }),
  },
  listForecasts: { answers: guestsAndAccountsWith('forecasts:read', 200) },
  readForecast: NO_FORECAST_TO_READ,
  watchForecast: NO_FORECAST_TO_READ,
  readForecastProof: NO_FORECAST_TO_READ,
  exportForecast: NO_FORECAST_TO_READ,
  cancelForecast: NO_FORECAST_TO_CHANGE,
  reproduceForecast: NO_FORECAST_TO_CHANGE,
  prepareSaveForecast: {
    answers: { ...accountsWith('forecasts:write', '403 OWNERSHIP_REQUIRED'), guest: '404 NOT_FOUND' },
    request: NOBODYS,
  },
  saveForecast: { answers: accountsWith('forecasts:write', '404 NOT_FOUND'), request: NOBODYS },
  listModels: { answers: guestsAndAccountsWith('forecasts:read', 200) },

  searchSeries: { answers: DATA_READERS, request: async () => ({ body: { query: 'apple' } }) },
  describeSeries: { answers: DATA_READERS, request: async () => ({ body: { source: CPI } }) },
  readObservations: { answers: DATA_READERS, request: async () => ({ body: { source: CPI } }) },
  readStockHistory: {
    answers: DATA_READERS,
    request: async () => ({ body: { symbol: 'AAPL', timeframe: '1D' } }),
  },
};
