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

  searchSeries: { answers: DATA_READERS, request: async () => ({ body: { query: 'apple' } }) },
  describeSeries: { answers: DATA_READERS, request: async () => ({ body: { source: CPI } }) },
  readObservations: { answers: DATA_READERS, request: async () => ({ body: { source: CPI } }) },
  readStockHistory: {
    answers: DATA_READERS,
    request: async () => ({ body: { symbol: 'AAPL', timeframe: '1D' } }),
  },
};
