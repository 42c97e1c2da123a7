import { escapeHtml } from '../../../../platform/index.ts';

/** Markup that is safe to send. Only the functions of this file make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template. Nothing, `false` and `null` leave no trace, so that `when && html…` works. */
export type Value = string | number | Html | null | undefined | false | readonly Value[];

/**
 * Markup from a template. Every value is escaped unless it is markup itself. Attributes must be in double quotes.
 *
 * @example html`<p title="${title}">${isNew && html`<b>new</b>`} ${name}</p>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => (index === 0 ? '' : render(values[index - 1])) + part).join(''));
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}
