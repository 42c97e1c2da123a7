import { randomUUID } from 'node:crypto';
import { hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleRoute } from '../visit.ts';
import {
  type ActionView,
  forecastPath,
  nameOf,
  readActionView,
  readKey,
  renderActionPage,
  renderBack,
  renderNotAllowed,
} from './action-visit.ts';

export const REPRODUCING =
  'Runs the same models on the same frozen rows. The new forecast shows whether its digits are equal. It costs as many credits as this one did.';

export const reproducePage: ConsoleRoute = {
  path: '/forecasts/:slug/reproduce',

  get: async (visit) => showReproducing(await readActionView(visit)),

  async post(visit) {
    try {
      const copy = await visit.visitor.call('reproduceForecast', {
        params: nameOf(visit),
        idempotencyKey: readKey(visit),
      });
      setNotice(visit, 'forecast_reproduced', forecastPath(copy));
      return new SeeOther(forecastPath(copy));
    } catch (error) {
      const refusal = toRefusal(error);
      return showReproducing(await readActionView(visit), refusal);
    }
  },
};

function showReproducing(view: ActionView, refusal?: Refusal): ConsolePage {
  const { forecast, allowed } = view;
  if (!allowed.actions.includes('reproduce')) {
    const text =
      'Your role in its workspace does not allow you to create forecasts there. The owner of the workspace can change your role.';
    return renderNotAllowed(forecast, 'You cannot reproduce this forecast', text, refusal);
  }
  return renderActionPage({
    title: 'Reproduce this forecast',
    forecast,
    refusal,
    body: html`<p>${REPRODUCING}</p>
${renderProblem(view) ?? renderForm(view)}`,
  });
}

function renderForm({ forecast }: ActionView): Html {
  return html`<form method="post" action="${forecastPath(forecast, 'reproduce')}" class="actions">
${hidden('key', randomUUID())}<button>Reproduce</button>
${renderBack(forecast)}</form>`;
}

/** Renders why a forecast cannot be reproduced; null if it can. */
function renderProblem({ forecast }: ActionView): Html | null {
  const { removed_at: removedAt } = forecast.snapshot;
  if (removedAt === undefined) return null;
  return html`<p><strong>The rows of this forecast were removed, because it was canceled or failed. Create a new forecast instead.</strong></p>
<p class="actions">${renderBack(forecast)}</p>`;
}
