import { listShownMemberships } from '../../workspaces/index.ts';
import { accountOf, type Handlers } from '../call.ts';

export const accessHandlers = {
  async readAccess(call) {
    const account = accountOf(call);
    return {
      user: { id: account.accountId, email: account.email },
      token_scopes: [...account.scopes],
      personal_plan: account.plan,
      workspaces: await listShownMemberships(call.parts.workspaces, account.accountId),
    };
  },
} satisfies Partial<Handlers>;
