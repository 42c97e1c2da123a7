import { z } from 'zod';
import { instant, isoDate } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { PLANS } from './vocabulary.ts';

const amount = (description: string) => z.int().min(0).describe(description);

export const USAGE_INTERVALS = ['day', 'month'] as const;
export type UsageInterval = (typeof USAGE_INTERVALS)[number];

/** The longest history of one request, in entries. */
export const MAX_USAGE_ENTRIES: Readonly<Record<UsageInterval, number>> = { day: 400, month: 120 };

const UsageEntry = z.strictObject({
  start: isoDate().describe('The day, or the first day of the month (UTC).'),
  credits: amount('Credits of completed forecasts, on the day on which the forecasts were created.'),
  peak_slots: amount(
    'The largest number of slots in use when a forecast was created; null for times in which this was not recorded.',
  ).nullable(),
  stored_bytes: amount(
    'Counted size, in bytes, at the end of the day or month; for the present one, now. Null for times in which this was not recorded.',
  ).nullable(),
});

export const UsageHistory = z
  .strictObject({
    interval: z.enum(USAGE_INTERVALS),
    entries: z.array(UsageEntry).describe('One entry for each day or month, oldest first, up to the present one.'),
  })
  .meta({ id: 'UsageHistory' });

/** The limits of the caller and how much of each is in use. */
export const UsageRecord = z
  .strictObject({
    plan: z.enum([...PLANS, 'guest']),
    period: z
      .strictObject({ start: instant(), end: instant() })
      .describe('The calendar month (UTC) whose credits are counted. `end` is the start of the next month.'),
    credits: z.strictObject({
      limit: amount('Credits of the plan for the period; null if they are unlimited.').nullable(),
      used: amount('Credits of completed forecasts.'),
      reserved: amount('Credits of queued and running forecasts.'),
      left: amount('Credits that are left for further forecasts; null if they are unlimited.').nullable(),
    }),
    slots: z.strictObject({
      limit: amount('Number of forecasts that may be queued or running.'),
      used: amount('Number of forecasts that are queued or running.'),
      left: amount('Number of forecasts that can be queued now. The guests of one network also share slots.'),
    }),
    requests: z.strictObject({
      limit: amount('Requests per minute.'),
      left: amount('Requests left in the current minute, after this one.'),
      resets_at: instant().describe('The earliest instant at which the next minute can begin.'),
    }),
    storage: z.strictObject({
      bytes: amount(
        'Counted size, in bytes, of the files, snapshots and results of the caller’s forecasts and of the caller’s own workspaces.',
      ),
      limit_bytes: amount('Maximum of `bytes`. Beyond it, forecasts and files are refused.'),
      csv_bytes: amount('Total size, in bytes, of the CSV files in the caller’s own workspaces.'),
      snapshot_bytes: amount(
        'Compressed size, in bytes, of the snapshots of the caller’s forecasts and of all forecasts in the caller’s own workspaces. A snapshot that several forecasts use is counted once.',
      ),
      forecast_bytes: amount(
        'The rest of `bytes`: the results of the forecasts, a fixed size for each forecast, and a snapshot again for each further payer. `csv_bytes`, `snapshot_bytes` and `forecast_bytes` add up to `bytes`.',
      ),
    }),
    history: UsageHistory.optional().describe('Only if the request has `from`, `to` or `interval`.'),
  })
  .meta({ id: 'UsageRecord' });

export const usageOperations = {
  readUsage: operation({
    group: 'Access',
    method: 'GET',
    path: '/v1/me/usage',
    action: 'usage.read',
    summary: 'Read the caller’s usage',
    description:
      'Returns the caller’s limits on credits, slots, requests and storage, and how much of each is in use or left. Forecasts in a workspace use the credits and slots of its owner. The request itself counts as one request. With `from`, `to` or `interval`, the response also has the history of an account: by default the last 30 days or 12 months. Guests have no history.',
    query: z.strictObject({
      from: isoDate().optional().describe('The first day, in UTC. With months, the month of this day is the first.'),
      to: isoDate().optional().describe('The last day, in UTC. Default: today.'),
      interval: z.enum(USAGE_INTERVALS).optional().describe('Default: `day`.'),
    }),
    status: 200,
    reply: resource(UsageRecord),
    errors: ['ACCOUNT_REQUIRED'],
  }),
};
