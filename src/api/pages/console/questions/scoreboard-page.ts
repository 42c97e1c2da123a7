import { type Fault, NO_MODEL_GROUP, SCOREBOARD_GROUPS } from '../../../../contract/index.ts';
import { errorSummary, type FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderCheck, renderSelect, renderText } from '../fields.ts';
import { type Given, readGiven, textOf } from '../forecasts/list-address.ts';
import { renderHint } from '../hints.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleRoute } from '../visit.ts';
import { showAccountFirst } from './account-first.ts';
import { renderHead } from './head.ts';
import { readWorkspaces, toFilterErrors, toInstants, type Workspace, withoutDenied } from './read-list.ts';
import { workspaceOptions } from './render-list.ts';
import { renderScoreboard, type Scoreboard } from './render-scoreboard.ts';
import { QUESTIONS_PATH, SCOREBOARD_PATH } from './words.ts';

const PARAMETERS = [
  'author',
  'category',
  'entity',
  'model',
  'workspace_id',
  'from',
  'to',
  'stamped',
  'group_by',
] as const;

const LABELS = {
  author: 'Probabilities of',
  category: 'Category',
  entity: 'About',
  model: 'Model',
  workspace_id: 'Workspace',
  from: 'Resolved from',
  to: 'Resolved until',
  stamped: 'Only stamped in time',
  group_by: 'Compare',
} as const;

const AUTHORS = [
  { value: '', label: 'Anyone whose I may see' },
  { value: 'me', label: 'Me' },
];

const GROUP_WORDS: Readonly<Record<(typeof SCOREBOARD_GROUPS)[number], string>> = {
  category: 'Categories',
  entity: 'What they are about',
  model: 'Models',
  month: 'Months',
};

const GROUPS = [
  { value: '', label: 'Nothing' },
  ...SCOREBOARD_GROUPS.map((value) => ({ value, label: GROUP_WORDS[value] })),
];

const MODELS = [
  { value: '', label: 'Any' },
  { value: 'almanac_ensemble', label: 'Forecasts of Almanac' },
  { value: NO_MODEL_GROUP, label: 'People' },
];

/** How good the probabilities of resolved questions were. */
export const scoreboardPage: ConsoleRoute = {
  path: SCOREBOARD_PATH,

  async get(visit) {
    const given = readGiven(visit.query, PARAMETERS);
    const criteria = toInstants(given);
    let board: Scoreboard | null = null;
    let [errors, status]: [FieldErrors, number] = [{}, 200];
    try {
      board = await visit.visitor.call('readScoreboard', { query: criteria });
    } catch (error) {
      try {
        errors = toFilterErrors(error, LABELS);
        status = (error as Fault).status;
      } catch {
        return showAccountFirst(visit, error, {
          title: 'Scoreboard',
          head: renderHead('scoreboard', false),
          text: 'It adds up what became of the questions that you may see: your own, those of your workspaces and public ones.',
        });
      }
    }
    const workspaces = await readWorkspaces(visit.visitor);
    return {
      title: 'Scoreboard',
      section: 'questions',
      script: 'questions',
      status,
      failed: status !== 200,
      body: html`${renderHead('scoreboard', true)}
${renderHint(visit, 'scoreboard', 'A point on the dashed line is a probability that kept its word. Read the counts first: few questions prove little.')}
<div id="errors">${errorSummary(errors)}</div>
${renderFilters(withoutDenied(given, errors), errors, workspaces)}
<p class="away" role="status" id="announcement"></p>
<section id="results" class="record-results" aria-label="Scoreboard">${
        board !== null && (board.overall.questions === 0 ? renderNone(board, given) : renderScoreboard(board, criteria))
      }</section>`,
    };
  },
};

function renderFilters(given: Given, errors: FieldErrors, workspaces: readonly Workspace[]): Html {
  const of = (name: string) => ({ name, value: textOf(given, name) });
  return html`<form id="filters" class="card filters record" method="get" action="${SCOREBOARD_PATH}" aria-label="Filters of the scoreboard">
<div class="fields">
${renderSelect({ ...of('author'), label: LABELS.author, options: AUTHORS }, errors)}
${renderSelect({ ...of('model'), label: 'Given by', options: MODELS }, errors)}
${renderText({ ...of('category'), label: LABELS.category, placeholder: 'Any', maxlength: 40 }, errors)}
${renderText({ ...of('entity'), label: LABELS.entity, type: 'search', placeholder: 'Name or ticker', maxlength: 200 }, errors)}
${(workspaces.length > 0 || errors.workspace_id !== undefined) && renderSelect({ ...of('workspace_id'), label: LABELS.workspace_id, options: workspaceOptions(workspaces) }, errors)}
${renderText({ ...of('from'), label: LABELS.from, type: 'date' }, errors)}
${renderText({ ...of('to'), label: LABELS.to, type: 'date' }, errors)}
${renderSelect({ ...of('group_by'), label: LABELS.group_by, options: GROUPS }, errors)}
</div>
<div class="filters-end">
${renderCheck({ name: 'stamped', value: 'true', label: 'Only probabilities that were stamped before the outcome was known', checked: given.stamped === 'true' })}
<p class="actions"><button class="quiet apply">Apply</button><a class="tap" id="reset" href="${SCOREBOARD_PATH}"${
    !isFiltered(given) && html` hidden`
  }>Reset filters</a></p>
</div>
</form>`;
}

function isFiltered({ group_by: _, ...criteria }: Given): boolean {
  return Object.keys(criteria).length > 0;
}

function renderNone({ annulled, unscored }: Scoreboard, given: Given): Html {
  const others =
    annulled + unscored === 0 ? '' : ` ${annulled} were annulled, and ${unscored} were resolved without a score.`;
  if (isFiltered(given)) {
    return renderEmpty({
      title: 'No scored question matches',
      text: `Only resolved questions are counted. Remove a filter or choose a longer period.${others}`,
      steps: [{ href: SCOREBOARD_PATH, label: 'Show the whole scoreboard' }],
    });
  }
  return renderEmpty({
    title: 'No score yet',
    text: `The first score comes when a question is resolved: by its rule when the data are there, or by the account that asked it.${others}`,
    steps: [
      { href: `${QUESTIONS_PATH}?status=pending&sort=deadline`, label: 'See the open questions' },
      { href: `${QUESTIONS_PATH}/new`, label: 'Ask a question' },
    ],
  });
}
