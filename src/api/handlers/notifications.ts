import { changeChoice, readChoice, readLastMail, readMailDelivery } from '../../notifications/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import type { ApiParts } from '../parts.ts';

export const notificationHandlers = {
  async readNotifications(call) {
    return viewNotifications(call.parts, accountOf(call).accountId);
  },

  async updateNotifications(call) {
    const { accountId } = accountOf(call);
    await changeChoice(call.parts, accountId, call.body);
    return viewNotifications(call.parts, accountId);
  },
} satisfies Partial<Handlers>;

async function viewNotifications({ database }: Pick<ApiParts, 'database'>, accountId: string) {
  const choice = await readChoice(database, accountId);
  const { state, since } = await readMailDelivery(database, accountId, choice);
  return {
    ...choice,
    delivery: { state, since: since?.toISOString() ?? null },
    last_email: await readLastMail(database, accountId),
  };
}
