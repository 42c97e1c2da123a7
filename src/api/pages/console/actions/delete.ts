import { type Html, html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleRoute } from '../visit.ts';
import {
  type ActionView,
  type Forecast,
  forecastPath,
  nameOf,
  readActionView,
  renderActionPage,
  renderBack,
  renderNotAllowed,
} from './action-visit.ts';
import { isUnfinished } from './cancel.ts';
import { CHANGED, changeIfSeen, renderSeen } from './change-forecast.ts';

/** A forecast that completed after the question was asked has a result that the visitor has not seen. */
const SHOWN = ['title', 'visibility', 'status'] as const;

export const deletePage: ConsoleRoute = {
  path: '/forecasts/:slug/delete',

  get: async (visit) => showDeleting(await readActionView(visit)),

  async post(visit) {
    try {
      const current = await changeIfSeen(visit, SHOWN, (ifMatch) =>
        visit.visitor.call('deleteForecast', { params: nameOf(visit), ifMatch }),
      );
      if (current !== null) return showDeleting(current, CHANGED);
    } catch (error) {
      const refusal = toRefusal(error);
      return showDeleting(await readActionView(visit), refusal);
    }
    setNotice(visit, 'forecast_deleted', '/forecasts');
    return new SeeOther('/forecasts');
  },
};

function showDeleting({ forecast, allowed }: ActionView, refusal?: Refusal): ConsolePage {
  if (!allowed.actions.includes('delete')) {
    const text = 'Only its creator and the owner of its workspace can delete it. Ask one of them.';
    return renderNotAllowed(forecast, 'You cannot delete this forecast', text, refusal);
  }
  return renderActionPage({
    title: 'Delete this forecast?',
    forecast,
    refusal,
    body: html`<p><strong>${forecast.name}</strong> will be gone for good. This cannot be undone.</p>
<ul class="ticks">${listConsequences(forecast).map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${forecastPath(forecast, 'delete')}" class="actions">
${renderSeen(forecast, SHOWN)}<button class="danger">Delete the forecast</button>
${renderBack(forecast, 'Keep it')}</form>`,
  });
}

/** Returns what a deletion removes and what it leaves. */
function listConsequences(forecast: Forecast): (string | Html)[] {
  const lines: (string | Html)[] = [
    isUnfinished(forecast)
      ? `It is ${forecast.status}: it is canceled first, and its credits are free again.`
      : 'Its result, its proof and its rows are removed. Credits that it used stay used.',
  ];
  if (forecast.visibility === 'public')
    lines.push('Its public page, its chart on other sites and its address stop working.');
  if (forecast.visibility === 'workspace') lines.push('The members of its workspace lose it as well.');
  lines.push('Reproductions of it and questions from it stay.');
  if (forecast.status === 'completed')
    lines.push(
      html`<a href="/api/v1/ensemble-forecasts/${forecast.forecast_id}/proof" download="${forecast.slug}-proof.json">Download the proof</a> first if you need it later.`,
    );
  return lines;
}
