import { z } from 'zod';
import { defineTool } from '../tool.ts';

const amount = () => z.int().min(0);

/** Reads the limits of the account and how much is left. */
export const myLimits = defineTool({
  name: 'my_limits',
  title: 'See what is left',
  description:
    'Returns the plan of the account, the credits, forecasts and requests that are left, and the models and horizons that can be used. Call it before many forecasts, or after a refusal for a limit.',
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.strictObject({
    plan: z.string(),
    credits: z
      .strictObject({
        limit: amount().nullable(),
        used: amount(),
        reserved: amount(),
        left: amount().nullable(),
        renewed_at: z.string(),
      })
      .describe('One credit fits one model once on up to 1,000 rows. Null: unlimited.'),
    forecasts: z
      .strictObject({ limit: amount(), running: amount(), left: amount() })
      .describe('How many forecasts can wait or run at the same time.'),
    requests: z
      .strictObject({ limit: amount(), left: amount(), renewed_at: z.string() })
      .describe('Requests per minute. A call of a tool takes several.'),
    storage: z.strictObject({ bytes: amount(), limit_bytes: amount() }),
    max_horizon: z.record(z.string(), z.int()).describe('The largest horizon by frequency.'),
    models: z.array(
      z.strictObject({
        id: z.string(),
        available: z.boolean(),
        is_default: z
          .boolean()
          .describe(
            'Whether it is a member of the default ensemble. Forecasts that name no models fit those that help on series of the frequency, which can be other ones.',
          ),
      }),
    ),
    next_step: z.string(),
  }),
  async run(_args, { agent }) {
    const usage = await agent.call('readUsage');
    const { models, horizon } = await agent.call('listModels');
    const { plan, credits, slots, requests, storage, period } = usage;
    const isSpent = credits.left === 0 || slots.left === 0;
    return {
      summary: `${credits.left ?? 'Unlimited'} credits and ${slots.left} of ${slots.limit} forecasts at the same time are left.`,
      data: {
        plan,
        credits: {
          limit: credits.limit,
          used: credits.used,
          reserved: credits.reserved,
          left: credits.left,
          renewed_at: period.end,
        },
        forecasts: { limit: slots.limit, running: slots.used, left: slots.left },
        requests: { limit: requests.limit, left: requests.left, renewed_at: requests.resets_at },
        storage: { bytes: storage.bytes, limit_bytes: storage.limit_bytes },
        max_horizon: horizon,
        models: models.map(({ id, available, license, default_weight: weight }) => ({
          id,
          available: available && license.allowed,
          is_default: weight > 0,
        })),
        next_step: isSpent
          ? 'Wait for a running forecast to end or for new credits, or report to the person you work for what is left.'
          : 'Call find_series, then forecast.',
      },
    };
  },
});
