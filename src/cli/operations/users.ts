import { z } from 'zod';
import { email, PLANS } from '../../contract/index.ts';
import { changePlan, createAccount } from '../../identity/index.ts';
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
};
