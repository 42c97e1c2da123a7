import type { OperationId } from '../../src/contract/index.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { administratorSessionsOnly, administratorsOnly } from './answers.ts';
import type { Cell, Request, Row } from './row.ts';

/** The operations of administrators. */
export const ADMINISTRATION_ROWS = {
  listAccounts: { answers: administratorsOnly(200) },
  readAccount: { answers: administratorsOnly(200), request: anotherAccount },
  updateAccount: {
    answers: administratorSessionsOnly(200),
    request: async (cell) => ({ ...(await anotherAccount(cell)), body: { plan: 'pro', locked: true } }),
  },
  readServiceState: { answers: administratorsOnly(200) },
  checkLedger: { answers: administratorsOnly(200) },
} satisfies Partial<Record<OperationId, Row>>;

async function anotherAccount({ identity }: Cell): Promise<Request> {
  return { params: { user_id: (await makeAccount(identity, { password: null })).id } };
}
