import { type Html, html } from './html.ts';

/** Renders a list of named facts. Facts without a value are left out. */
export function renderFacts(
  className: string,
  facts: readonly (readonly [name: string | Html, value: string | Html | null])[],
): Html {
  const shown = facts.filter(([, value]) => value !== null);
  return html`<dl class="${className}">${shown.map(
    ([name, value]) => html`
<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}
</dl>`;
}
