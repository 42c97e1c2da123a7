import { wordHorizon } from '../../../../wording/index.ts';
import type { FieldErrors } from '../../forms.ts';
import { hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderCheck, renderText } from '../fields.ts';
import type { Cost } from '../new/cost.ts';
import { renderCost } from '../new/cost.ts';
import type { Visitor } from '../visitor.ts';
import type { Cutoffs } from './cutoffs.ts';
import type { Forecast, ReplayChoice } from './replay-request.ts';

/** What the part of the page shows that makes a replay. */
export interface MakerView {
  readonly visitor: Visitor;
  readonly original: Forecast;
  readonly cutoffs: Cutoffs;
  /** What was typed. */
  readonly typed: string;
  /** The replay that was asked for; null if nothing usable was typed. */
  readonly choice: ReplayChoice | null;
  /** Whether the visitor already has this replay. */
  readonly isMade: boolean;
  readonly cost: Cost | null;
  readonly errors: FieldErrors;
}

/** Renders the form that asks for a cutoff, and the cost of the replay with a button that makes it. */
export function renderMaker(view: MakerView): Html {
  const { original, typed, errors, choice, cutoffs } = view;
  const path = `/forecasts/${original.slug}/replays`;
  const { source } = original.settings;
  const hasVintages = source?.type === 'economic_series' && source.provider !== 'bundled';
  return html`<section class="card stack" aria-labelledby="make">
<h2 id="make">Make a replay</h2>
<nav class="segments" aria-label="Suggested cutoffs">${cutoffs.suggested.map(
    (days) =>
      html`<a href="${path}?cutoff=${days}#make"${String(days) === typed && html` aria-current="true"`}>${days} days earlier</a>`,
  )}</nav>
<form class="stack" method="get" action="${path}#make" novalidate>
${renderText({ name: 'cutoff', label: 'Any cutoff', hint: 'A number of days before the last row of this forecast, or the last day that the replay may know, such as 2024-01-31.', value: typed }, errors)}
${hasVintages && renderCheck({ name: 'known', label: 'Values as known then', hint: 'Without later revisions. It works for series that have vintages.', checked: choice?.isAsKnown === true })}
<p><button class="quiet">Show the cost</button></p>
</form>
${choice !== null && renderOffer(view, choice, path, cutoffs)}
</section>`;
}

function renderOffer(
  { visitor, original, isMade, cost, typed }: MakerView,
  choice: ReplayChoice,
  path: string,
  cutoffs: Cutoffs,
): Html {
  const { word, when } = cutoffs.describe(choice.cutoff);
  if (isMade)
    return html`<div class="note good"><p>You have the replay that knew the rows ${word} ${when}. It is below.</p></div>`;
  if (cost === null) return html``;
  const { frequency, series_kind: kind } = original.settings;
  const { format } = wordHorizon(frequency, kind === 'exchange' ? 'session' : null, Number.MAX_SAFE_INTEGER);
  const address = `${path}?${new URLSearchParams({ cutoff: typed, ...(choice.isAsKnown && { known: 'on' }) })}`;
  return html`<p>This replay knows the rows ${word} <strong>${when}</strong> and forecasts ${format(original.settings.horizon)} from there.</p>
${renderCost(cost, { visitor, address, formatPeriods: format })}
${
  cost.estimate !== null &&
  html`<form method="post" action="${path}">${hidden('cutoff', typed)}${choice.isAsKnown && hidden('known', 'on')}<button data-once>Make this replay</button></form>`
}`;
}
