import { z } from 'zod';
import { email, Fault, PLANS } from '../../contract/index.ts';
import {
  changePlan,
  createAccount,
  markVerified,
  requireAccount,
  setPassword,
  unlinkIdentity,
} from '../../identity/index.ts';
import { adminOperation } from './operation.ts';

export const userOperations = {
  'user create': adminOperation({
    input: z.strictObject({
      email: email(),
      plan: z.enum(PLANS).optional(),
      administrator: z.boolean().optional(),
      verified: z.boolean().optional(),
      password: z.string().optional(),
    }),
    run: ({ identity }, input) => createAccount(identity, input),
  }),
  'user plan': adminOperation({
    input: z.strictObject({ email: z.string(), plan: z.enum(PLANS) }),
    run: ({ identity }, input) => changePlan(identity, input.email, input.plan),
  }),
  'user verify': adminOperation({
    input: z.strictObject({ email: z.string() }),
    run: ({ identity }, input) => markVerified(identity, input.email),
  }),
  'user password': adminOperation({
    input: z.strictObject({ email: z.string(), password: z.string() }),
    run: ({ identity }, input) => setPassword(identity, input.email, input.password),
  }),
  'user unlink': adminOperation({
    input: z.strictObject({ email: z.string(), issuer: z.string() }),
    async run({ identity, database }, { email, issuer }) {
      const account = await requireAccount(database, email);
      if (await unlinkIdentity(identity, account.id, issuer)) return { email: account.email, issuer, removed: true };
      throw new Fault('NOT_FOUND', `Nobody of ${issuer} is linked to the account ${account.email}.`);
    },
  }),
};
