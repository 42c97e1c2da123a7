import {
  MAX_SCREENER_CONDITIONS,
  MAX_SCREENER_FILTERS,
  MAX_SCREENER_SYMBOLS,
  SCREENER_OPS,
} from '../../../../contract/index.ts';
import { errorSummary, type FieldErrors, hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderCheck, renderError, renderLongText, renderSelect, renderText } from '../fields.ts';
import { renderRefusal } from '../form-page.ts';
import type { Refusal } from '../refusals.ts';
import { renderNote } from '../states.ts';
import { type FieldEntry, type Fields, renderDistribution } from './distribution.ts';
import type { Entered, EnteredCondition } from './entered.ts';
import { OP_WORDS } from './filter-words.ts';

const MAX_NAME = 100;

export interface Editor {
  /** The address that the form is sent to. */
  readonly action: string;
  readonly entered: Entered;
  readonly fields: Fields;
  readonly errors: FieldErrors;
  readonly refusal?: Refusal | undefined;
  /** When the stored filter was changed last, as the form showed it; null for a new filter. */
  readonly seen: string | null;
  /** Whether one more filter can be saved. */
  readonly canSave: boolean;
}

/** Renders the form of a filter. Every button sends the whole form, so that nothing typed is lost without a script. */
export function renderEditor(editor: Editor): Html {
  const { action, entered, errors, refusal, seen, canSave } = editor;
  return html`<form method="post" action="${action}" class="card stack filter-editor" data-editor>
${renderRefusal(refusal)}
${errorSummary(errors)}
${hidden('seen', seen)}
${renderUniverse(entered, errors)}
${renderConditions(editor)}
<p class="actions">${
    entered.conditions.length < MAX_SCREENER_CONDITIONS &&
    html`<button class="quiet" name="do" value="add">Add a condition</button>`
  }<button class="quiet" name="do" value="preview" data-preview>Preview the matches</button></p>
<hr>
${
  canSave
    ? html`${renderText({ name: 'name', label: 'Name', hint: 'Emails and lists call the filter by this name.', value: entered.name, maxlength: MAX_NAME }, errors)}
${renderCheck({ name: 'email', label: 'Email me the matches', hint: 'One email after each close in which one of your filters matches. Every email has a link that turns them off.', checked: entered.email })}
<p class="actions"><button name="do" value="save">${seen === null ? 'Save the filter' : 'Save the changes'}</button></p>`
    : renderNote(
        'info',
        html`You have ${MAX_SCREENER_FILTERS} filters, which is the most that an account can have. You can preview here; to save, <a href="/screener">delete or change one</a> first.`,
      )
}
</form>`;
}

function renderUniverse({ universe, symbols }: Entered, errors: FieldErrors): Html {
  return html`<fieldset class="universe" id="universe"><legend>Which symbols</legend><button class="away" name="do" value="preview" tabindex="-1" aria-hidden="true">Preview</button>
${renderError('universe', errors)}<div class="segments"><input type="radio" name="universe" id="universe-all" value="all"${universe === 'all' && html` checked`}><label for="universe-all">All symbols</label><input type="radio" name="universe" id="universe-list" value="list"${universe === 'list' && html` checked`}><label for="universe-list">Only these</label></div>
<div class="listed">${renderLongText(
    {
      name: 'symbols',
      label: 'Symbols',
      hint: `Up to ${MAX_SCREENER_SYMBOLS}, separated by blanks, commas or lines, such as AAPL, BRK.B, ^GSPC. They count only if “Only these” is chosen.`,
      value: symbols,
      maxlength: 20_000,
      rows: 3,
    },
    errors,
  )}</div></fieldset>`;
}

const COMBINATIONS = [
  { value: 'all', label: 'meets all of these conditions' },
  { value: 'any', label: 'meets at least one of these conditions' },
];

function renderConditions({ entered, fields, errors }: Editor): Html {
  const { conditions, combine } = entered;
  const infos = new Map(fields.fields.map((info) => [info.field as string, info]));
  return html`${renderSelect({ name: 'combine', label: 'A symbol matches if it', options: COMBINATIONS, value: combine }, errors)}
<ol class="conditions">${conditions.map((condition, i) =>
    renderCondition(condition, i, { infos, errors, isOnly: conditions.length === 1 }),
  )}</ol>`;
}

interface Around {
  readonly infos: ReadonlyMap<string, FieldEntry>;
  readonly errors: FieldErrors;
  readonly isOnly: boolean;
}

function renderCondition(condition: EnteredCondition, i: number, { infos, errors, isOnly }: Around): Html {
  const { field, op, value, high, other } = condition;
  const info = infos.get(field);
  const fieldOptions = [...infos.values()].map((entry) => ({ value: entry.field, label: entry.label }));
  const place = `condition ${i + 1}`;
  const label = (text: string): Html => html`${text}<span class="away"> of ${place}</span>`;
  return html`
<li class="condition" id="condition-${i}" data-condition="${i}">
<div class="condition-head"><strong>Condition ${i + 1}</strong>${
    !isOnly &&
    html`<button class="bare" name="do" value="remove.${i}">Remove<span class="away"> ${place}</span></button>`
  }</div>
<div class="condition-fields">
${renderSelect({ name: `field.${i}`, label: label('Field'), options: fieldOptions, value: field }, errors)}
${renderSelect({ name: `op.${i}`, label: label('Comparison'), options: SCREENER_OPS.map((each) => ({ value: each, label: OP_WORDS[each] })), value: op }, errors)}
<div class="other">${renderSelect({ name: `other.${i}`, label: label('With'), options: [{ value: '', label: 'a number' }, ...fieldOptions], value: other }, errors)}</div>
<div class="value">${renderText({ name: `value.${i}`, label: label(info?.unit === 'percent' ? 'Number, in %' : 'Number'), type: 'number', value, maxlength: 40 }, errors)}</div>
<div class="high">${renderText({ name: `high.${i}`, label: label('And'), type: 'number', value: high, maxlength: 40 }, errors)}</div>
</div>
<div class="about" id="about-${i}">${
    info && html`<p class="hint">${info.description}</p>${renderDistribution(info, condition)}`
  }</div>
</li>`;
}
