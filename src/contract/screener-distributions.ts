import { z } from 'zod';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { SCREENER_FIELDS, SCREENER_OPS } from './screener-fields.ts';

const inTwentieths = Array.from({ length: 19 }, (_, i) => Number(((i + 1) / 20).toFixed(2)));

/** The levels of the quantiles that describe the values of a field. */
export const SCREENER_LEVELS: readonly number[] = [0, 0.01, ...inTwentieths, 0.99, 1];

const FieldDistribution = z
  .strictObject({
    count: z.int().describe('The number of symbols that have a value.'),
    missing: z.int().describe('The number of symbols whose history is too short for a value.'),
    quantiles: z
      .array(z.strictObject({ level: z.number(), value: z.number() }))
      .describe('From the smallest value, at level 0, to the largest, at level 1. Empty if no symbol has a value.'),
  })
  .meta({ id: 'ScreenerFieldDistribution' });

const ScreenerFieldEntry = z
  .strictObject({
    field: z.enum(SCREENER_FIELDS),
    label: z.string(),
    unit: z.enum(['percent', 'shares']).nullable().describe('Null for a price, a ratio or an index.'),
    description: z.string(),
    operators: z.array(z.enum(SCREENER_OPS)),
    distribution: FieldDistribution.nullable().describe('Null when no session has been evaluated yet.'),
  })
  .meta({ id: 'ScreenerFieldEntry' });

export const screenerDistributionOperations = {
  listScreenerFields: operation({
    group: 'Screener',
    method: 'GET',
    path: '/v1/screener/fields',
    action: 'screener.read',
    summary: 'List the fields of conditions',
    description:
      'Lists the fields that conditions can use, and how their values are distributed in the latest evaluated session over the symbols of the universe `all`.',
    status: 200,
    reply: resource(
      z.strictObject({
        session: z.iso.date().nullable().describe('The session date; null when no session has been evaluated yet.'),
        fields: z.array(ScreenerFieldEntry),
      }),
    ),
    errors: ['EMAIL_NOT_VERIFIED'],
  }),
};
