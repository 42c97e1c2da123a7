import { exportTrackRecord, readTrackRecord } from '../../forecasts/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { RenderedBody } from '../responses.ts';

const FILE_NAME = 'track-record.csv';

export const trackRecordHandlers = {
  async readTrackRecord(call) {
    const { format, ...criteria } = call.query;
    const account = accountOf(call);
    if (format === 'json') return readTrackRecord(call.parts.forecasts, account, criteria);
    const { truncated, chunks } = await exportTrackRecord(call.parts.forecasts, account, criteria);
    return RenderedBody.stream(chunks, FILE_NAME, FILE_NAME, { 'x-truncated': String(truncated) });
  },
} satisfies Partial<Handlers>;
