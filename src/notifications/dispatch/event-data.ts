import type { OutboxEvent } from '../../platform/index.ts';
import type { Audience } from './find-audiences.ts';

/** The path below which the operations are, as in `status_url` of a forecast. */
const BASE = '/api/v1';

/** Returns the data of an event as receivers get it: ids, a status, and the path with which the rest is read. */
export function eventData({ type, details }: OutboxEvent, { object_id: id }: Audience): object {
  const { status = '' } = details;
  const forecast = `${BASE}/ensemble-forecasts/${id}`;
  const event = `${BASE}/forecasts/${id}`;
  switch (type) {
    case 'forecast.completed':
      return { forecast_id: id, status: 'completed', result_url: forecast };
    case 'forecast.failed':
      return { forecast_id: id, status: 'failed', result_url: forecast };
    case 'forecast.outcome':
      return { forecast_id: id, status, result_url: `${forecast}/outcome` };
    case 'receipt.stamped':
      return { forecast_id: id, status: 'stamped', result_url: isForecast(id) ? forecast : event };
    case 'event.resolved':
      return { forecast_id: id, status, resolution_url: `${event}/resolution` };
    case 'screener.matched': {
      const { session = '' } = details;
      return { alert_id: id, session, matches_url: `${BASE}/me/screener-alerts/${id}/matches?session=${session}` };
    }
  }
}

function isForecast(id: string): boolean {
  return id.startsWith('ef_');
}
