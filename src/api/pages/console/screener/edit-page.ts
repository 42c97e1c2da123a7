import { Fault, MAX_SCREENER_FILTERS } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { type Crumb, renderCrumbs } from '../form-page.ts';
import { renderHint } from '../hints.ts';
import { attempt, type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { forAccounts } from './access.ts';
import { renderEditor } from './editor.ts';
import {
  checkEntered,
  type Entered,
  enterFilter,
  NEW_CONDITION,
  NEW_FILTER,
  readEntered,
  toParams,
} from './entered.ts';
import { renderExamples } from './examples.ts';
import { filterIdOf, filterPath } from './filter-path.ts';
import { explainRules, type Preview, readPreview, renderPreview, statusOf } from './preview.ts';
import { changeFilter, createFilter } from './save.ts';

/** The form of a new filter. */
export const newFilterPage: ConsoleRoute = {
  path: '/screener/new',
  get: forAccounts(async (visit) => openEditor(visit, await readNew(visit))),
  post: forAccounts(async (visit) => handleForm(visit, await readNew(visit))),
};

/** The form of a stored filter. */
export const editFilterPage: ConsoleRoute = {
  path: '/screener/:id/edit',
  get: forAccounts(async (visit) => openEditor(visit, await readStored(visit))),
  post: forAccounts(async (visit) => handleForm(visit, await readStored(visit))),
};

/** What a form edits: a new filter, or a stored one. */
interface Edited {
  readonly id: string | null;
  readonly path: string;
  readonly name: string | null;
  /** When the stored filter was changed last; null for a new one. */
  readonly updatedAt: string | null;
  readonly stored: Entered;
  readonly canSave: boolean;
}

async function readNew({ visitor }: ConsoleVisit): Promise<Edited> {
  const { alerts } = await visitor.call('listScreenerAlerts');
  const canSave = alerts.length < MAX_SCREENER_FILTERS;
  return { id: null, path: '/screener/new', name: null, updatedAt: null, stored: NEW_FILTER, canSave };
}

async function readStored(visit: ConsoleVisit): Promise<Edited> {
  const id = filterIdOf(visit);
  const filter = await visit.visitor.call('readScreenerAlert', { params: { alert_id: id } });
  const { name, updated_at: updatedAt } = filter;
  return { id, path: `${filterPath(id)}/edit`, name, updatedAt, stored: enterFilter(filter), canSave: true };
}

async function openEditor(visit: ConsoleVisit, edited: Edited): Promise<ConsolePage> {
  const { query } = visit;
  const entered = readEntered(query) ?? edited.stored;
  // The address of a form that was opened before keeps the state that it showed.
  const seen = readField(query, 'seen') ?? edited.updatedAt;
  return showEditor(visit, edited, { entered, seen, isChecked: query.check === '1' });
}

/** An address that is longer may be refused by a proxy. */
const MAX_ADDRESS = 6000;

async function handleForm(visit: ConsoleVisit, edited: Edited): Promise<ConsolePage | SeeOther> {
  const entered = readEntered(visit.form) ?? edited.stored;
  const seen = readField(visit.form, 'seen') ?? null;
  const button = readField(visit.form, 'do') ?? 'preview';
  if (button === 'save') return save(visit, edited, { entered, seen });
  const [next, anchor] = applyButton(entered, button);
  const params = toParams(next);
  if (seen !== null) params.append('seen', seen);
  const isChecked = button === 'preview';
  if (isChecked) params.append('check', '1');
  const address = `${edited.path}?${params}`;
  if (address.length <= MAX_ADDRESS) return new SeeOther(`${address}${anchor}`);
  return showEditor(visit, edited, { entered: next, seen, isChecked });
}

/** Returns the form after a button that changes its conditions, and the place on the page where to continue. */
function applyButton(entered: Entered, button: string): [next: Entered, anchor: string] {
  const { conditions } = entered;
  if (button === 'add')
    return [{ ...entered, conditions: [...conditions, NEW_CONDITION] }, `#condition-${conditions.length}`];
  const [, index] = /^remove\.(\d{1,2})$/.exec(button) ?? [];
  if (index === undefined || conditions.length < 2) return [entered, '#preview'];
  const rest = conditions.filter((_, i) => i !== Number(index));
  return [{ ...entered, conditions: rest }, `#condition-${Math.max(0, Number(index) - 1)}`];
}

interface Sent {
  readonly entered: Entered;
  readonly seen: string | null;
}

async function save(visit: ConsoleVisit, edited: Edited, sent: Sent): Promise<ConsolePage | SeeOther> {
  const { entered, seen } = sent;
  const checked = checkEntered(entered);
  const nameError: FieldErrors = entered.name.trim() === '' ? { name: 'Enter a name for the filter.' } : {};
  const errors = { ...('errors' in checked && checked.errors), ...nameError };
  if ('errors' in checked || Object.keys(errors).length > 0) return showEditor(visit, edited, { ...sent, errors });
  const { rules } = checked;
  const filter = { name: entered.name, email: entered.email, rules };
  const saved = await attempt(() =>
    edited.id === null
      ? createFilter(visit.visitor, filter)
      : changeFilter(visit.visitor, edited.id, seen ?? undefined, filter),
  );
  if (saved instanceof Fault) {
    const found = explainRules(saved, entered, rules);
    if (found !== null) return showEditor(visit, edited, { ...sent, errors: found });
    return showEditor(visit, edited, { ...sent, refusal: toRefusal(saved) });
  }
  if (saved.kind === 'stale') {
    return showEditor(visit, edited, { entered, seen: saved.current.updated_at, refusal: CHANGED });
  }
  const address = filterPath(saved.id);
  setNotice(visit, NOTICES[saved.kind], address);
  return new SeeOther(address);
}

const NOTICES = { created: 'filter_created', changed: 'filter_changed', exists: 'filter_exists' } as const;

const CHANGED: Refusal = {
  status: 412,
  message:
    'The filter changed while this form was open. Nothing was saved. Check the form and save it again to replace the other change.',
};

interface Shown extends Sent {
  /** Whether the visitor asked to check the form, so that errors are shown at their fields. */
  readonly isChecked?: boolean;
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

async function showEditor(visit: ConsoleVisit, edited: Edited, shown: Shown): Promise<ConsolePage> {
  const { entered, seen, isChecked = false, refusal } = shown;
  const { visitor, query } = visit;
  const { canSave, path: action } = edited;
  const fields = await visitor.call('listScreenerFields');
  const preview = await readPreview(visitor, entered);
  const errors = shown.errors ?? (isChecked && preview.kind === 'invalid' ? preview.errors : {});
  const editor = renderEditor({ action, entered, fields, errors, refusal, seen, canSave });
  const result = renderPreview(preview, fields, { retry: `${action}?${toParams(entered)}`, now: visit.now });
  const status = refusal?.status ?? (Object.keys(errors).length > 0 ? 400 : statusOfShown(preview));
  const isPart = query.part === 'preview';
  const isNew = edited.id === null;
  const title = isNew ? 'New filter' : 'Change the filter';
  return {
    title: isNew ? title : `${title}: ${edited.name}`,
    section: 'screener',
    script: 'screener',
    status,
    failed: status !== 200,
    body: html`${renderCrumbs(crumbsOf(edited))}
<div class="page-head"><div><h1>${title}</h1>
<p class="soft">The preview shows which symbols met the conditions in the latest evaluated session. Nothing is saved until you press the button.</p></div></div>
${!isPart && fields.session !== null && renderHint(visit, 'screener-preview', HINT)}
<div class="editor-layout">${editor}
${result}</div>
<p class="away" role="status" id="announcement"></p>
${isNew && readEntered(query) === null && refusal === undefined && renderExamples()}`,
  };
}

const HINT: Html = html`Below each condition, the bar shows where the values of all symbols were in the latest evaluated session, and its blue part which of them pass. Change a number and watch the matches follow.`;

/** A form that is not complete yet is not an error of the page. */
function statusOfShown(preview: Preview): number {
  return preview.kind === 'failed' ? statusOf(preview) : 200;
}

function crumbsOf({ id, name }: Edited): Crumb[] {
  const all = { href: '/screener', label: 'Screener' };
  return id === null ? [all] : [all, { href: filterPath(id), label: name ?? 'Filter' }];
}
