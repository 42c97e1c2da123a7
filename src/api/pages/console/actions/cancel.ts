import { html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsoleRoute } from '../visit.ts';
import {
  type Forecast,
  forecastPath,
  nameOf,
  readActionView,
  renderActionPage,
  renderBack,
  renderNotAllowed,
} from './action-visit.ts';

/** Returns whether a forecast is queued or running. */
export function isUnfinished({ status }: Pick<Forecast, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

export const cancelPage: ConsoleRoute = {
  path: '/forecasts/:slug/cancel',

  async get(visit) {
    const { forecast, allowed } = await readActionView(visit);
    if (!allowed.actions.includes('cancel')) {
      const text = 'Only its creator, and members of its workspace whose role allows it, can cancel it.';
      return renderNotAllowed(forecast, 'You cannot cancel this forecast', text);
    }
    if (!isUnfinished(forecast)) {
      const state = forecast.status === 'completed' ? 'has completed' : 'has ended without a result';
      return renderActionPage({
        title: 'There is nothing to cancel',
        forecast,
        body: html`<p>The forecast ${state}.</p><p class="actions">${renderBack(forecast)}</p>`,
      });
    }
    return renderActionPage({
      title: 'Cancel this forecast?',
      forecast,
      body: html`<p>The forecast is ${forecast.status}. If you cancel it, it stops and gets no result. Its credits are free again.</p>
<form method="post" action="${forecastPath(forecast, 'cancel')}" class="actions"><button>Cancel the forecast</button>
${renderBack(forecast, 'Let it run')}</form>`,
    });
  },

  async post(visit) {
    const canceled = await visit.visitor.call('cancelForecast', { params: nameOf(visit) });
    const isCanceled = canceled.worker_cancellation === 'requested';
    // The owner of a workspace gets no slug of a member's private forecast, whose page it cannot see either.
    const address = 'slug' in canceled ? forecastPath(canceled) : '/forecasts';
    setNotice(visit, isCanceled ? 'forecast_canceled' : 'forecast_ended_before', address);
    return new SeeOther(address);
  },
};
