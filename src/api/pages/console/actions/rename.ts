import type { Fault } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
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
import { CHANGED, changeIfSeen, renderSeen } from './change-forecast.ts';

const SHOWN = ['title'] as const;
const MAX_TITLE_LENGTH = 200;

export const renamePage: ConsoleRoute = {
  path: '/forecasts/:slug/rename',

  get: async (visit) => showRenaming(await readActionView(visit)),

  async post(visit) {
    const entered = readField(visit.form, 'title') ?? '';
    const title = entered.trim() === '' ? null : entered;
    try {
      const current = await changeIfSeen(visit, SHOWN, (ifMatch) =>
        visit.visitor.call('updateForecast', { params: nameOf(visit), body: { title }, ifMatch }),
      );
      if (current !== null) return showRenaming(current, { entered, refusal: CHANGED });
    } catch (error) {
      return showRenaming(await readActionView(visit), { entered, ...explain(error) });
    }
    const address = `/forecasts/${encodeURIComponent(nameOf(visit).forecast_id)}`;
    setNotice(visit, 'forecast_renamed', address);
    return new SeeOther(address);
  },
};

interface Attempt {
  readonly entered?: string;
  readonly refusal?: Refusal;
  readonly errors?: FieldErrors;
}

/** Returns how the page explains an error: at the field if it names one. */
function explain(error: unknown): Attempt {
  const refusal = toRefusal(error);
  const errors = refusal.status === 400 ? toFieldErrors(error as Fault, { title: 'Name' }) : null;
  return errors === null ? { refusal } : { errors };
}

function showRenaming({ forecast, allowed }: ActionView, { entered, refusal, errors = {} }: Attempt = {}): ConsolePage {
  if (!allowed.actions.includes('update')) {
    const text = 'Only its creator, and members of its workspace whose role allows it, can rename it.';
    return renderNotAllowed(forecast, 'You cannot rename this forecast', text, refusal);
  }
  return renderActionPage({
    title: 'Rename this forecast',
    forecast,
    refusal,
    errors,
    body: html`<p>It is called <strong>${forecast.name}</strong> now.</p>
${renderRenaming(forecast, { entered, errors })}
<p>${renderBack(forecast)}</p>`,
  });
}

/** Renders the form with which a forecast is renamed. */
export function renderRenaming(
  forecast: Forecast,
  { entered, errors = {} }: { readonly entered?: string | undefined; readonly errors?: FieldErrors } = {},
): Html {
  const { title: error } = errors;
  return html`<form method="post" action="${forecastPath(forecast, 'rename')}" class="stack">
${renderSeen(forecast, SHOWN)}
<div><label for="title">Name</label>
<p class="hint" id="title-hint">At most ${MAX_TITLE_LENGTH} characters. Without a name, it is called after its source. Its address stays the same.</p>
<input id="title" name="title" maxlength="${MAX_TITLE_LENGTH}" autocomplete="off" value="${entered ?? forecast.title ?? ''}" aria-describedby="title-hint${error !== undefined && ' title-error'}"${error !== undefined && html` aria-invalid="true"`}>
${error !== undefined && html`<p class="error" id="title-error">${error}</p>`}</div>
<button>Rename</button></form>`;
}
