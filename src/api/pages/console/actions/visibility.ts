import { VISIBILITIES, type Visibility } from '../../../../contract/index.ts';
import { hidden, readField } from '../../forms.ts';
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
import { CHANGED, changeIfSeen, renderSeen } from './change-forecast.ts';

const SHOWN = ['visibility'] as const;

/** What each visibility means, in words. */
export const MEANINGS: Readonly<Record<Visibility, readonly [name: string, meaning: string]>> = {
  private: ['Private', 'Only you can see it.'],
  workspace: ['Workspace', 'The members of its workspace can see it.'],
  public: ['Public', 'Anyone with the address can see the forecast, its score and the name of its source.'],
};

export const visibilityPage: ConsoleRoute = {
  path: '/forecasts/:slug/visibility',

  get: async (visit) => showVisibility(await readActionView(visit), visit.visitor.principal.kind === 'guest'),

  async post(visit) {
    const isGuest = visit.visitor.principal.kind === 'guest';
    const chosen = readField(visit.form, 'visibility');
    const visibility = VISIBILITIES.find((one) => one === chosen);
    if (visibility === undefined) {
      const view = await readActionView(visit);
      return showVisibility(view, isGuest, { status: 400, message: askAgain(view) });
    }
    if (visibility === 'public' && readField(visit.form, 'confirmed') === undefined) {
      const view = await readActionView(visit);
      if (mustConfirm(view) && !isGuest) return askToPublish(view.forecast);
    }
    try {
      const current = await changeIfSeen(visit, SHOWN, (ifMatch) =>
        visit.visitor.call('updateForecast', { params: nameOf(visit), body: { visibility }, ifMatch }),
      );
      if (current !== null) return showVisibility(current, isGuest, CHANGED);
    } catch (error) {
      const refusal = toRefusal(error);
      return showVisibility(await readActionView(visit), isGuest, {
        ...refusal,
        message: refusal.message.replace(/^visibility: (.)/, (_, first: string) => first.toUpperCase()),
      });
    }
    const address = `/forecasts/${encodeURIComponent(nameOf(visit).forecast_id)}`;
    setNotice(visit, `forecast_${visibility}`, address);
    return new SeeOther(address);
  },
};

/** Whether publishing shows everyone numbers from a file that only a workspace could read. */
function mustConfirm({ forecast, allowed }: ActionView): boolean {
  const isOfFile = forecast.settings.source?.type === 'workspace_csv';
  return isOfFile && forecast.visibility !== 'public' && allowed.actions.includes('update');
}

function askToPublish(forecast: Forecast): ConsolePage {
  return renderActionPage({
    title: 'Make this forecast public?',
    forecast,
    body: html`<p>It was made from a file of a workspace. Everyone will see the numbers of the forecast, its chart, its name, the name of the column and its score. The rows of the file stay private.</p>
<form method="post" action="${forecastPath(forecast, 'visibility')}" class="actions">
${renderSeen(forecast, SHOWN)}${hidden('visibility', 'public')}${hidden('confirmed', 'yes')}<button>Make it public</button>
${renderBack(forecast, 'Keep it as it is')}</form>`,
  });
}

/** Returns the message for a form without a choice that the page offers. */
function askAgain(view: ActionView): string {
  const names = choicesOf(view).map((one) => MEANINGS[one][0].toLowerCase());
  return `Choose who can see it: ${names.join(', ').replace(/, ([^,]*)$/, ' or $1')}. Nothing has changed.`;
}

function showVisibility(view: ActionView, isGuest: boolean, refusal?: Refusal): ConsolePage {
  const { forecast, allowed } = view;
  if (!allowed.actions.includes('update')) {
    const text = 'Only its creator, and members of its workspace whose role allows it, can change this.';
    return renderNotAllowed(forecast, 'You cannot change the visibility', text, refusal);
  }
  return renderActionPage({
    title: 'Change the visibility',
    forecast,
    refusal,
    body: isGuest
      ? html`${renderGuestRule(forecast)}<p class="actions">${renderBack(forecast)}</p>`
      : html`${renderVisibility(view)}
<p>${renderBack(forecast)}</p>`,
  });
}

/** Renders why a guest cannot share a forecast, and what to do instead. */
export function renderGuestRule(forecast: Forecast): Html {
  return html`<p>Only you can see it. To share it, it must be public, and a guest cannot publish: sign in and save it first.</p>
<p><a class="button quiet" href="${forecastPath(forecast, 'save')}">Sign in and save it</a></p>`;
}

/** Returns the visibilities that the visitor can choose, and the present one. */
function choicesOf({ forecast, allowed }: Pick<ActionView, 'forecast' | 'allowed'>): Visibility[] {
  return VISIBILITIES.filter(
    (one) =>
      one === forecast.visibility ||
      one === 'public' ||
      (one === 'workspace' ? forecast.workspace_id !== null : allowed.is_own),
  );
}

/** Renders the choice of a visibility. Choices that the visitor does not have are left out. */
export function renderVisibility(view: Pick<ActionView, 'forecast' | 'allowed'>): Html {
  const { forecast } = view;
  return html`<form method="post" action="${forecastPath(forecast, 'visibility')}" class="stack">
${renderSeen(forecast, SHOWN)}
<fieldset><legend>Visible to</legend><div class="choices">${choicesOf(view).map((one) => {
    const [name, meaning] = MEANINGS[one];
    return html`
<div class="choice"><input id="visible-${one}" type="radio" name="visibility" value="${one}"${one === forecast.visibility && html` checked`}>
<label for="visible-${one}">${name} <small>${meaning}</small></label></div>`;
  })}
</div></fieldset>
<button>Change the visibility</button></form>`;
}

/** Renders the button that makes a forecast public, as the first step of sharing it. */
export function renderPublishing(forecast: Forecast): Html {
  return html`<form method="post" action="${forecastPath(forecast, 'visibility')}">
${renderSeen(forecast, SHOWN)}${hidden('visibility', 'public')}<button>Make it public</button></form>`;
}
