import type { WebhookEventType } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderCheck, renderError, renderText } from '../fields.ts';
import { EVENT_WORDS, type Webhook } from './words.ts';

/** What a person entered in the form of a webhook. */
export interface WebhookChoice {
  readonly url: string;
  readonly name: string;
  readonly types: readonly WebhookEventType[];
}

/** What the fields are called in errors. */
export const LABELS = { url: 'URL', name: 'Name', types: 'Events' } as const;

export const FIRST_CHOICE: WebhookChoice = { url: '', name: '', types: ['forecast.completed', 'forecast.failed'] };

/** Returns what a webhook is now, as its form shows it. */
export function choiceOf({ url, name, types }: Webhook): WebhookChoice {
  return { url, name: name ?? '', types };
}

export function readChoice(form: unknown, offered: readonly WebhookEventType[]): WebhookChoice {
  return {
    url: (readField(form, 'url') ?? '').trim(),
    name: (readField(form, 'name') ?? '').trim(),
    types: offered.filter((type) => readField(form, fieldOf(type)) !== undefined),
  };
}

/** Returns what is missing in a form. The operation checks everything else. */
export function findMissing({ url, types }: WebhookChoice): FieldErrors {
  return {
    ...(url === '' && { url: 'Enter the URL to which the events are sent.' }),
    ...(types.length === 0 && { types: 'Choose at least one event.' }),
  };
}

export function toRequest({ url, name, types }: WebhookChoice): object {
  return { url, name: name === '' ? null : name, types };
}

/** A form has each name once, so each type has a field of its own. */
function fieldOf(type: WebhookEventType): string {
  return `type-${type.replace('.', '-')}`;
}

export function renderFields(
  { url, name, types }: WebhookChoice,
  offered: readonly WebhookEventType[],
  errors: FieldErrors,
): Html {
  return html`${renderText(
    {
      name: 'url',
      label: 'URL',
      hint: 'The address of your program. It begins with https:// and is on the public internet.',
      value: url,
      maxlength: 2_000,
    },
    errors,
  )}
${renderText({ name: 'name', label: 'Name', hint: 'By which you recognize it. Optional.', value: name, maxlength: 100 }, errors)}
<fieldset id="types"${errors.types !== undefined && html` aria-describedby="types-error"`}><legend>Events</legend>
${renderError('types', errors)}
<div class="choices">${offered.map((type) => {
    const [label, hint] = EVENT_WORDS[type];
    return renderCheck({
      name: fieldOf(type),
      label,
      hint: html`${hint} <code>${type}</code>`,
      checked: types.includes(type),
    });
  })}</div></fieldset>`;
}
