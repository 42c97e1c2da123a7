import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { formatMoment, formatProbability } from '../../format.ts';
import { errorSummary, type FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { QUESTION_STATES } from '../../public/question-page.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { type Refusal, toRefusal } from '../refusals.ts';
import { renderProblem } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import {
  type ActionView,
  type Forecast,
  forecastPath,
  readActionView,
  renderActionPage,
  renderBack,
} from './action-visit.ts';
import { isUnfinished } from './cancel.ts';
import {
  ALL_ENDED,
  type ChosenQuestion,
  checkQuestion,
  type EnteredQuestion,
  fillIn,
  formatStep,
  openSteps,
  readEntered,
  renderQuestionForm,
} from './question-form.ts';
import { runInTurn } from './run-in-turn.ts';
import { readPicker, renderPicker } from './threshold-picker.ts';

type Question = Output<Operations['listEvents']>['forecasts'][number];

const MAX_LISTED = 100;

export const questionsPage: ConsoleRoute = {
  path: '/forecasts/:slug/questions',

  get: async (visit) => showQuestions(visit, await readActionView(visit)),

  async post(visit) {
    const view = await readActionView(visit);
    const address = forecastPath(view.forecast, 'questions');
    const entered = readEntered(visit.form);
    const checked = checkQuestion(entered, view.forecast);
    if ('errors' in checked) return showQuestions(visit, view, { entered, errors: checked.errors });
    const { step } = checked.question;
    const isOver = view.forecast.status === 'completed' && !openSteps(view.forecast, visit.now).includes(step);
    if (isOver && visit.visitor.principal.kind === 'account') {
      const message = `The period ${formatStep(view.forecast, step)} is over, so its outcome is known. Choose a later period.`;
      return showQuestions(visit, view, { entered, refusal: { status: 422, message } });
    }
    try {
      const isNew = await ask(visit, view.forecast, checked.question);
      setNotice(visit, isNew ? 'question_created' : 'question_exists', address);
    } catch (error) {
      const { status, message } = toRefusal(error);
      // The messages name the fields of the API, of which the form has one each.
      const words = message.replace(/^(?:steps|thresholds|forecast_id|visibility)(?:\[0\])?: (.)/, (_, first) =>
        first.toUpperCase(),
      );
      return showQuestions(visit, view, {
        entered,
        refusal: { status, message: words.replace(/ Use the command .*$/, '') },
      });
    }
    return new SeeOther(address);
  },
};

/**
 * Creates a question, unless the visitor has an open one with the same condition: a form that is sent twice must not ask
 * twice.
 *
 * @returns whether a question was created
 */
function ask({ visitor }: ConsoleVisit, forecast: Forecast, chosen: ChosenQuestion): Promise<boolean> {
  const { principal } = visitor;
  const { op, threshold, step, visibility } = chosen;
  const callerKey = principal.kind === 'account' ? principal.accountId : principal.kind;
  return runInTurn(`${callerKey} ${forecast.forecast_id}`, async () => {
    const query = { source_forecast_id: forecast.forecast_id, author: 'me', status: 'pending', limit: MAX_LISTED };
    const { forecasts: asked } = await visitor.call('listEvents', { query });
    if (
      asked.some(({ source_forecast: from }) => from?.op === op && from.threshold === threshold && from.step === step)
    )
      return false;
    const inWorkspace = visibility === 'workspace' && { workspace_id: forecast.workspace_id };
    await visitor.call('createEventsFromForecast', {
      body: {
        forecast_id: forecast.forecast_id,
        thresholds: [threshold],
        steps: [step],
        op,
        visibility,
        ...inWorkspace,
      },
    });
    return true;
  });
}

interface Attempt {
  readonly entered?: EnteredQuestion;
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
  /** The questions from the forecast that the visitor may see. */
  readonly listed?: readonly Question[] | null;
}

async function showQuestions(visit: ConsoleVisit, view: ActionView, attempt: Attempt = {}): Promise<ConsolePage> {
  const { forecast } = view;
  const { refusal } = attempt;
  const listed = await listQuestions(visit, forecast);
  const isAsked = Object.keys(visit.query).some((name) => ['op', 'step', 'threshold'].includes(name));
  const steps = openSteps(forecast, visit.now);
  const checked =
    visit.form === undefined && isAsked && steps.length > 0 && listed !== null
      ? checkQuestion({ ...fillIn(forecast, steps, visit.query), visibility: 'private' }, forecast)
      : null;
  const errors = attempt.errors ?? (checked !== null && 'errors' in checked ? checked.errors : {});
  const page = renderActionPage({
    title: 'Questions from this forecast',
    forecast,
    refusal,
    body: html`<p class="soft">A question turns the forecast into a yes or no with a probability: will the value be above a threshold? It is resolved when the value is known.</p>
${errorSummary(errors)}
<section class="stack" aria-labelledby="ask"><h2 id="ask">Ask a question</h2>
${await renderAsking(visit, forecast, { ...attempt, errors, listed })}</section>
${listed !== null && renderListed(listed)}
<p>${renderBack(forecast)}</p>`,
  });
  const isWrong = Object.keys(errors).length > 0;
  return { ...page, script: 'questions', ...(isWrong && { status: 400, failed: true }) };
}

/** Returns the questions from a forecast that the visitor may see; null for a guest, because guests cannot ask questions. */
async function listQuestions(
  { visitor }: ConsoleVisit,
  { forecast_id }: Forecast,
): Promise<readonly Question[] | null> {
  try {
    const query = { source_forecast_id: forecast_id, limit: MAX_LISTED };
    return (await visitor.call('listEvents', { query })).forecasts;
  } catch (error) {
    if (error instanceof Fault && error.code === 'ACCOUNT_REQUIRED') return null;
    throw error;
  }
}

async function renderAsking(visit: ConsoleVisit, forecast: Forecast, attempt: Attempt): Promise<Html> {
  const { visitor, now } = visit;
  const { errors = {} } = attempt;
  if (visitor.principal.kind !== 'account') {
    return html`<p>A question needs an account, because its score belongs to the one that asked. Sign in and save the forecast first.</p>
<p><a class="button" href="${forecastPath(forecast, 'save')}">Sign in and save it</a></p>`;
  }
  if (forecast.status !== 'completed') {
    return isUnfinished(forecast)
      ? html`<p>The forecast is ${forecast.status}. Ask as soon as it has completed.</p>`
      : html`<p>The forecast has no result, so it gives no probability. Create a new forecast to ask about it.</p>`;
  }
  const steps = openSteps(forecast, now);
  if (steps.length === 0) {
    return html`<p>${ALL_ENDED}</p>`;
  }
  const entered = attempt.entered ?? fillIn(forecast, steps, visit.query);
  const canShare = forecast.workspace_id !== null && (await canAskIn(visit, forecast.workspace_id));
  const picker = await showPicker(visit, forecast, { entered, steps, asked: attempt.listed ?? [] });
  return renderQuestionForm(forecast, { steps, entered, errors, canShare, picker });
}

/** Returns whether the visitor may ask questions for the members of a workspace. */
async function canAskIn({ visitor }: ConsoleVisit, workspaceId: string): Promise<boolean> {
  const { workspaces } = await visitor.call('listWorkspaces');
  const found = workspaces.find(({ id }) => id === workspaceId);
  return found?.capabilities.includes('forecast.create') === true && found.resource_scope.forecasts.mode === 'all';
}

interface PickerOptions {
  readonly entered: EnteredQuestion;
  readonly steps: readonly number[];
  readonly asked: readonly Question[];
}

/** Renders the fan with the threshold that was entered; null if the fields do not name one, and the errors say why. */
async function showPicker(
  visit: ConsoleVisit,
  forecast: Forecast,
  { entered, steps, asked }: PickerOptions,
): Promise<Html | null> {
  const checked = checkQuestion({ ...entered, visibility: 'private' }, forecast);
  if ('errors' in checked || !steps.includes(checked.question.step)) return null;
  const { op, step, threshold } = checked.question;
  const picker = await readPicker(visit, forecast, { op, step, threshold });
  if (picker instanceof Fault) return html`<div id="picker">${renderProblem(picker, { level: 3 })}</div>`;
  const others = asked.flatMap(({ source_forecast: from, is_own: isOwn }) =>
    isOwn && from?.step === step ? [from.threshold] : [],
  );
  return renderPicker(picker, others);
}

function renderListed(questions: readonly Question[]): Html {
  if (questions.length === 0) {
    return html`<section class="stack" aria-labelledby="asked"><h2 id="asked">Asked so far</h2>
<p class="soft">No question has been asked from this forecast yet.</p></section>`;
  }
  return html`<section class="stack" aria-labelledby="asked"><h2 id="asked">Asked so far</h2>
<div class="scroll" role="region" aria-label="Questions" tabindex="0"><table>
<thead><tr><th scope="col" class="words">Question</th><th scope="col">Probability</th><th scope="col" class="when">State</th><th scope="col" class="when">Deadline</th></tr></thead>
<tbody>${questions.map(
    ({ question, slug, stamped, probability, status, resolution_deadline: deadline }) => html`
<tr><th scope="row" class="words"><a class="tap" href="/questions/${slug}">${question}</a></th><td class="middle">${formatProbability(probability)}</td><td class="when">${QUESTION_STATES[status]}${stamped && ', stamped'}</td><td class="when"><time datetime="${deadline}" data-local>${formatMoment(new Date(deadline))}</time></td></tr>`,
  )}
</tbody></table></div></section>`;
}
