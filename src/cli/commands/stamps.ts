import { z } from 'zod';
import { adminCommand, UsageError } from '../command.ts';
import { noCompletedForecast, stamperNotConfigured } from '../faults.ts';

const STAMP_USAGE =
  'Give either the id of a forecast or event, or --since with a date. See: almanac proof stamp --help';

export const stampCommands = [
  adminCommand({
    name: 'proof stamp',
    arguments: [{ name: 'ID', isOptional: true }],
    options: {
      since: {
        type: 'string',
        value: 'DATE',
        format: 'date',
        help: 'all proofs from this day in UTC on that ALMANAC_STAMP selects',
      },
    },
    summary: 'Hands proofs of older forecasts and event revisions over to be stamped.',
    example: 'proof stamp --since 2026-01-01',
    input: z.strictObject({
      id: z.string().optional(),
      since: z.iso.date({ error: 'must be a date such as 2026-01-01' }).optional(),
    }),
    readInput([id], { since }) {
      if ((id === undefined) === (since === undefined)) throw new UsageError(STAMP_USAGE);
      return id === undefined ? { since } : { id };
    },
    async execute({ database, clock, stamps }, { id, since }) {
      if (!stamps.isConfigured) throw stamperNotConfigured();
      const [{ stampForecast, stampForecastsSince }, { prepareRevisionProofs }] = await Promise.all([
        import('../../forecasts/index.ts'),
        import('../../scout/index.ts'),
      ]);
      const now = clock.now();
      const scout = { database, clock, stamps };
      if (id === undefined) {
        const start = new Date(`${since}T00:00:00Z`);
        return {
          forecasts: await stampForecastsSince(database, stamps, start, now),
          event_revisions: await prepareRevisionProofs(scout, { since: start }),
        };
      }
      const forecasts = await stampForecast(database, id, now);
      const revisions = await prepareRevisionProofs(scout, { eventIds: [id] });
      if (forecasts.found + revisions.revisions === 0) throw noCompletedForecast(id);
      return { forecasts, event_revisions: revisions };
    },
  }),
  adminCommand({
    name: 'proof status',
    arguments: [],
    options: {},
    summary: 'Shows how many proofs wait, are being stamped and are stamped.',
    example: 'proof status',
    input: z.strictObject({}),
    readInput: () => ({}),
    async execute({ database, config }) {
      const { countProofs } = await import('../../provenance/index.ts');
      const { stamper, selection, perDay } = config.stamps;
      return {
        stamper: stamper?.kind ?? null,
        selection,
        stamps_per_day: perDay,
        ...(await countProofs(database)),
      };
    },
  }),
];
