import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../../contract/index.ts';
import { type FieldErrors, hidden, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderCheck, renderError, renderSelect, renderText } from '../fields.ts';
import { renderMeaning } from '../terms.ts';
import { SCOPE_WORDS, SHOWN_SCOPES, USUAL_SCOPES } from './scope-words.ts';

/** What a person entered in the form of a new key. */
export interface KeyChoice {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** A number of days, or nothing if the key does not expire. */
  readonly expires: string;
}

const EXPIRIES = [
  { value: '7', label: 'In a week' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
] as const;

export const USUAL_CHOICE: KeyChoice = { name: '', scopes: USUAL_SCOPES, expires: '90' };

const DAY_MS = 86_400_000;

export function readKeyChoice(form: unknown): KeyChoice {
  return {
    name: readField(form, 'name') ?? '',
    scopes: SHOWN_SCOPES.filter((scope) => readField(form, fieldOf(scope)) !== undefined),
    expires: readField(form, 'expires') ?? '',
  };
}

/** Returns the request for a key. An expiry that the form does not offer is sent as it is, and refused. */
export function toKeyRequest({ name, scopes, expires }: KeyChoice, now: Date): object {
  const isOffered = EXPIRIES.some(({ value }) => value === expires);
  const expiresAt = isOffered ? new Date(now.getTime() + Number(expires) * DAY_MS).toISOString() : expires;
  return { name, scopes, ...(expires !== '' && { expires_at: expiresAt }) };
}

/** A form has each name once, so each scope has a field of its own. */
function fieldOf(scope: Scope): string {
  return `scope-${scope.replace(':', '-')}`;
}

export function renderKeyForm(path: string, { name, scopes, expires }: KeyChoice, errors: FieldErrors): Html {
  return html`<section class="card stack" aria-labelledby="new-key">
<h2 id="new-key">Make a key</h2>
<form method="post" action="${path}" class="stack">
${hidden('key', randomUUID())}
<div class="fields">
${renderText({ name: 'name', label: 'Name', hint: 'The program that will use it.', value: name, maxlength: 100 }, errors)}
${renderSelect({ name: 'expires', label: 'Expires', options: EXPIRIES, value: expires, hint: 'A key that you forget ends then.' }, errors)}
</div>
<fieldset id="scopes"${errors.scopes !== undefined && html` aria-describedby="scopes-error"`}><legend>What it may do ${renderMeaning('scope')}</legend>
${renderError('scopes', errors)}
<div class="choices scopes">${SHOWN_SCOPES.map((scope) => {
    const [label, hint] = SCOPE_WORDS[scope];
    return renderCheck({
      name: fieldOf(scope),
      label,
      hint: html`${hint} <code>${scope}</code>`,
      checked: scopes.includes(scope),
    });
  })}</div></fieldset>
<p class="actions"><button>Make the key</button></p>
</form>
</section>`;
}
