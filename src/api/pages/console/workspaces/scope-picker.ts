import { type Fault, MAX_SCOPE_IDS } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderCheck, renderError } from '../fields.ts';
import { renderMeaning } from '../terms.ts';
import type { Visitor } from '../visitor.ts';
import { renderDay } from './words.ts';
import type { Scope, Workspace } from './workspace-visit.ts';

type PartName = keyof Scope;
type Mode = Scope['csv']['mode'];

/** A file or forecast that can be picked. */
interface Item {
  readonly id: string;
  readonly name: string;
  readonly about: string | Html;
}

/** What a form has chosen in one part of a resource scope, and the search in its list. */
interface PartChoice {
  readonly mode: Mode;
  readonly ids: readonly string[];
  readonly find: string;
}

export type ScopeChoice = Readonly<Record<PartName, PartChoice>>;

export const ALL: ScopeChoice = {
  csv: { mode: 'all', ids: [], find: '' },
  forecasts: { mode: 'all', ids: [], find: '' },
};

const PARTS = ['csv', 'forecasts'] as const;
const NOUNS = { csv: 'file', forecasts: 'forecast' } as const;
const MODES: readonly Mode[] = ['all', 'selected', 'none'];

/** The number of forecasts that a list offers without a search. */
const MAX_OFFERED = 300;
const PAGE = 100;
const MAX_SEARCH_LENGTH = 200;
/** A list of this length is read faster than searched. */
const MAX_WITHOUT_SEARCH = 6;

/** A form with a thousand picked forecasts and all files of a workspace. */
export const PICKER_FORM_BYTES = 96 * 1024;

/** Returns the choices of a stored resource scope. */
export function choicesOf(scope: Scope): ScopeChoice {
  return { csv: { ...scope.csv, find: '' }, forecasts: { ...scope.forecasts, find: '' } };
}

/** Returns what a submitted form has chosen. A part without a valid choice gives access to nothing. */
export function readChoices(form: unknown): ScopeChoice {
  const read = (part: PartName): PartChoice => {
    const chosen = readField(form, `${part}_mode`);
    const prefix = `${part}.`;
    const names = typeof form === 'object' && form !== null ? Object.keys(form) : [];
    return {
      mode: MODES.find((mode) => mode === chosen) ?? 'none',
      ids: names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
      find: (readField(form, `${part}_find`) ?? '').trim().slice(0, MAX_SEARCH_LENGTH),
    };
  };
  return { csv: read('csv'), forecasts: read('forecasts') };
}

/** Returns the part in which the visitor searches with a submit button; null if the form is to be saved. */
export function readSearch(form: unknown): PartName | null {
  const button = readField(form, 'search');
  return PARTS.find((part) => part === button) ?? null;
}

/** Returns the resource scope of a request. Parts that are as in `known` are left out, so that they stay unchanged. */
export function toScope(
  choices: ScopeChoice,
  known?: Scope,
): Partial<Record<PartName, { mode: Mode; ids?: string[] }>> {
  const isChanged = (part: PartName): boolean => {
    if (known === undefined || known[part].mode !== choices[part].mode) return true;
    if (choices[part].mode !== 'selected') return false;
    const ids = new Set(choices[part].ids);
    return ids.size !== known[part].ids.length || known[part].ids.some((id) => !ids.has(id));
  };
  const toPart = ({ mode, ids }: PartChoice) => (mode === 'selected' ? { mode, ids: [...ids] } : { mode });
  return Object.fromEntries(PARTS.filter(isChanged).map((part) => [part, toPart(choices[part])]));
}

/** Returns an error for a part in which things are to be picked but none is, or too many are. */
export function findErrors(choices: ScopeChoice): FieldErrors {
  const errors: Record<string, string> = {};
  for (const part of PARTS) {
    const { mode, ids } = choices[part];
    const noun = NOUNS[part];
    if (mode !== 'selected') continue;
    if (ids.length === 0) errors[`${part}_mode-selected`] = `Pick at least one ${noun}, or choose no ${noun}s.`;
    if (ids.length > MAX_SCOPE_IDS) {
      errors[`${part}_mode-selected`] = `Pick at most ${MAX_SCOPE_IDS} ${noun}s, or choose all ${noun}s.`;
    }
  }
  return errors;
}

/** Returns the error of a part in which something was picked that the workspace no longer has; null for other faults. */
export function findGoneItems({ message }: Fault): FieldErrors | null {
  const part = PARTS.find((name) => message.startsWith(`resource_scope.${name}.ids[`));
  if (part === undefined) return null;
  const words = `One of the picked ${NOUNS[part]}s is no longer in this workspace. Remove what has only an id from the list.`;
  return { [`${part}_mode-selected`]: words };
}

/** The things that a picker offers, by part, and whether a search would find more. */
export type Offer = Readonly<Record<PartName, { readonly items: readonly Item[]; readonly isPartial: boolean }>>;

/** Reads the files and forecasts of a workspace that its owner can pick. */
export async function readOffer(visitor: Visitor, { id }: Workspace, choices: ScopeChoice): Promise<Offer> {
  const csv = await readPages(async (cursor) => {
    const query = { limit: PAGE, ...(cursor && { cursor }) };
    const { files, next_cursor } = await visitor.call('listCsvFiles', { params: { workspace_id: id }, query });
    return { next: next_cursor, items: files.map(toFileItem) };
  });
  const { find } = choices.forecasts;
  const forecasts = await readPages(async (cursor) => {
    const query = { limit: PAGE, ...(find !== '' && { q: find }), ...(cursor && { cursor }) };
    const page = await visitor.call('listWorkspaceForecasts', { params: { workspace_id: id }, query });
    // A private forecast of another member has no name, and cannot be picked.
    const shared = page.forecasts.filter((forecast) => 'slug' in forecast);
    return { next: page.next_cursor, items: shared.map(toForecastItem) };
  });
  return { csv, forecasts };
}

async function readPages(
  read: (cursor: string | null) => Promise<{ readonly next: string | null; readonly items: readonly Item[] }>,
): Promise<{ items: Item[]; isPartial: boolean }> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: { next: string | null; items: readonly Item[] } = await read(cursor);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null && items.length < MAX_OFFERED);
  return { items, isPartial: cursor !== null };
}

function toFileItem({
  id,
  name,
  rows,
  created_at,
}: {
  id: string;
  name: string;
  rows: number;
  created_at: string;
}): Item {
  return { id, name, about: html`${formatCount(rows, 'row')}, uploaded ${renderDay(created_at)}` };
}

function toForecastItem({
  forecast_id: id,
  name,
  created_at,
}: {
  forecast_id: string;
  name: string;
  created_at: string;
}): Item {
  return { id, name, about: html`created ${renderDay(created_at)}` };
}

/** Renders the choice of a resource scope: all, some or none of the files, and the same for the forecasts. */
export function renderPicker(choices: ScopeChoice, offer: Offer, errors: FieldErrors): Html {
  return html`<fieldset class="stack scope"><legend class="with-term">Which files and forecasts? ${renderMeaning('resource scope')}</legend>
${PARTS.map((part) => renderPart(part, choices[part], offer[part], errors))}</fieldset>`;
}

const ALL_HINT = { csv: 'Also those that are uploaded later.', forecasts: 'Also those that are made later.' } as const;

function renderPart(part: PartName, choice: PartChoice, offer: Offer[PartName], errors: FieldErrors): Html {
  const noun = NOUNS[part];
  const name = `${part}_mode`;
  const radio = (value: Mode, label: string, hint?: string) =>
    renderCheck({ name, value, type: 'radio', label, hint, checked: choice.mode === value });
  // An empty list cannot be picked from, so the choice is left out unless it is the present one.
  const canPick = offer.items.length > 0 || choice.mode === 'selected' || choice.find !== '';
  return html`<fieldset class="part"><legend>${part === 'csv' ? 'Files' : 'Forecasts'}</legend>
${radio('all', `All ${noun}s`, ALL_HINT[part])}
${canPick && radio('selected', `Only the ${noun}s that I pick`, `${part === 'csv' ? 'Files' : 'Forecasts'} that the member adds are picked automatically.`)}
${renderError(`${name}-selected`, errors)}
${canPick && renderItems(part, choice, offer)}
${radio('none', `No ${noun}s`)}
</fieldset>`;
}

function renderItems(part: PartName, { ids, find }: PartChoice, { items, isPartial }: Offer[PartName]): Html {
  const noun = NOUNS[part];
  const picked = new Set(ids);
  const known = new Map(items.map((item) => [item.id, item]));
  const words = find.toLowerCase();
  // What is picked stays in the list during a search, so that the form keeps it. The API searches forecasts.
  const isShown = ({ id, name }: Item) => picked.has(id) || part === 'forecasts' || name.toLowerCase().includes(words);
  const others = [...picked]
    .filter((id) => !known.has(id))
    .map((id) => ({ id, name: id, about: 'not in the list below' }));
  const shown = [...others, ...items.filter(isShown)].sort(
    (a, b) => Number(picked.has(b.id)) - Number(picked.has(a.id)),
  );
  const id = `${part}_find`;
  return html`<div class="picker" data-picker>
${
  (items.length > MAX_WITHOUT_SEARCH || isPartial || find !== '') &&
  html`<div class="with-button find-in"><label class="away" for="${id}">Search the ${noun}s</label>
<input id="${id}" name="${id}" type="search" autocomplete="off" maxlength="${MAX_SEARCH_LENGTH}" placeholder="Search the ${noun}s" value="${find}">
<button class="quiet" name="search" value="${part}">Search</button></div>`
}
<p class="hint" data-picked="${isPartial || find !== '' ? 'part' : 'whole'}" data-noun="${noun}" aria-live="polite">${formatCount(ids.length, noun)} picked${isPartial && `. Only the latest are listed; search for others`}.</p>
${shown.length === 0 && html`<p class="soft">No ${noun} has a name like this.</p>`}
<div class="picks" role="group" aria-label="${part === 'csv' ? 'Files' : 'Forecasts'} to pick">${shown.map((item) =>
    renderCheck({ name: `${part}.${item.id}`, label: item.name, hint: item.about, checked: picked.has(item.id) }),
  )}</div></div>`;
}
