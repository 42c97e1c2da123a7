import { drawCalibration } from '../../../../charts/index.ts';
import { formatCount, formatDay, formatInteger, formatProbability, formatRatio, formatShare } from '../../format.ts';
import { Html, html } from '../../html.ts';
import type { Given } from '../forecasts/list-address.ts';
import { renderNote } from '../states.ts';
import { renderMeaning, renderTerm } from '../terms.ts';
import {
  type Bin,
  describeBins,
  describeSummary,
  formatFigure,
  formatRange,
  formatShareRange,
  judgeBin,
  type Scoreboard,
  type Summary,
} from './describe-scoreboard.ts';
import { questionPath, renderStamped, renderState, renderTime } from './words.ts';

export type { Scoreboard } from './describe-scoreboard.ts';

/** Renders a scoreboard: in words first, then as a plot and tables. @param criteria what the CSV files are made of */
export function renderScoreboard(board: Scoreboard, criteria: Given): Html {
  const { overall, truncated, groups, group_by: groupBy } = board;
  return html`<section class="card stack" aria-labelledby="in-words">
<h2 id="in-words">In words</h2>
<p class="lead">${describeSummary(overall)}</p>
${renderTiles(board)}
${
  truncated &&
  renderNote(
    'warning',
    'Only the 5,000 questions that were resolved last are counted. Choose a shorter period to include older ones.',
  )
}
<p class="actions"><a class="button quiet" href="${csvAddress(criteria, 'questions')}" download>Every scored question (CSV)</a><a class="button quiet" href="${csvAddress(criteria, 'groups')}" download>These figures (CSV)</a></p>
<details><summary>How this is computed</summary><p class="soft">${board.score_definition}. Ranges hold with 95% confidence; questions from one forecast are drawn together, because their errors are related.</p></details>
</section>
<div class="grid two record-charts">
${renderCalibration(overall)}
${renderComparison(overall)}
</div>
${groupBy !== null && renderGroups(groups, groupBy, board.groups_left_out)}
${renderLatest(board)}`;
}

function csvAddress(criteria: Given, rows: 'questions' | 'groups'): string {
  const params = new URLSearchParams({ format: 'csv', rows });
  for (const [name, value] of Object.entries(criteria)) params.append(name, String(value));
  return `/api/v1/scout/scoreboard?${params}`;
}

function renderTiles({
  overall,
  annulled,
  unscored,
  first_resolved_at: first,
  last_resolved_at: last,
}: Scoreboard): Html {
  const tile = (label: string | Html, value: string | Html) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<dl class="tiles">
${tile('Scored questions', formatInteger(overall.questions))}
${tile(renderTerm('log score', 'Mean log score'), formatFigure(overall.mean_log_loss))}
${tile(renderTerm('Brier score', 'Mean Brier score'), formatFigure(overall.brier))}
${tile(renderTerm('base rate', 'Base rate'), overall.base_rate === null ? '–' : formatShare(overall.base_rate))}
${tile('Annulled', formatInteger(annulled))}
${tile('Resolved without a score', formatInteger(unscored))}
${first !== null && last !== null && tile('Resolved', renderPeriod(first, last))}
</dl>`;
}

function renderPeriod(first: string, last: string): Html {
  const [from, to] = [first, last].map((instant) => formatDay(new Date(instant)));
  if (from === to) return html`<time datetime="${first}">${from}</time>`;
  return html`<time datetime="${first}">${from}</time> to <time datetime="${last}">${to}</time>`;
}

/** Renders the share of yes against the stated probability, for each bin with its count and its interval. */
function renderCalibration({ bins, base_rate: base }: Summary): Html {
  const counted = bins.filter(({ questions }) => questions > 0);
  const points = counted.map(({ mean_probability, share_yes, interval, questions }) => ({
    nominal: mean_probability ?? 0,
    share: share_yes ?? 0,
    low: interval?.low ?? 0,
    high: interval?.high ?? 1,
    inside: Math.round((share_yes ?? 0) * questions),
    rows: questions,
  }));
  const chart = {
    title: 'Calibration of the questions',
    points,
    kind: 'probabilities' as const,
    ...(base !== null && { baseRate: base }),
  };
  return html`<section class="card stack" aria-labelledby="calibration">
<h2 id="calibration">Calibration${renderMeaning('calibration')}</h2>
<figure>
<figcaption>${describeBins(bins)} A point above the dashed line came true more often than stated. Bars are 95% intervals; the dotted line is the base rate.</figcaption>
<div class="plot" role="group" aria-label="Plot of the calibration" data-cursor="calibration-table">${new Html(
    drawCalibration(chart, { standalone: false, id: 'calibration-plot' }),
  )}</div>
<div class="scroll" role="region" aria-label="Calibration in numbers" tabindex="0">
<table id="calibration-table"><thead><tr><th scope="col">Stated</th><th scope="col">Mean</th><th scope="col">Came true</th><th scope="col">95% range</th><th scope="col">Yes</th><th scope="col">Questions</th><th scope="col">Verdict</th></tr></thead>
<tbody>${counted.map(renderBin)}
</tbody></table></div>
</figure>
</section>`;
}

function renderBin(bin: Bin): Html {
  const { from, to, questions, mean_probability: mean, share_yes: share, interval } = bin;
  return html`
<tr><th scope="row">${formatShare(from, 0)} to ${formatShare(to, 0)}</th><td>${mean === null ? '–' : formatShare(mean)}</td><td>${share === null ? '–' : formatShare(share)}</td><td>${interval === null ? '–' : formatShareRange(interval)}</td><td>${formatInteger(Math.round((share ?? 0) * questions))}</td><td>${formatInteger(questions)}</td><td>${judgeBin(bin)}</td></tr>`;
}

/** Renders the scores beside those of two forecasters that know nothing about a single question. */
function renderComparison(summary: Summary): Html {
  const { base_rate: base, intervals } = summary;
  const isMixed = base !== null && base > 0 && base < 1;
  const baseLog = isMixed ? -(base * Math.log(base) + (1 - base) * Math.log1p(-base)) : null;
  const rows = [
    ['These probabilities', summary.mean_log_loss, summary.brier, formatRange(intervals.mean_log_loss)],
    ['Always the base rate', baseLog, isMixed ? base * (1 - base) : null, ''],
    ['Always 50%', Math.LN2, 0.25, ''],
  ] as const;
  const skills = [
    ['Skill against the base rate, log score', summary.skill_vs_base_rate, intervals.skill_vs_base_rate],
    ['Skill against the base rate, Brier score', summary.brier_skill_vs_base_rate, intervals.brier_skill_vs_base_rate],
    ['Skill against 50%, log score', summary.skill_vs_half, intervals.skill_vs_half],
    ['Calibration error', summary.calibration_error, intervals.calibration_error],
  ] as const;
  return html`<section class="card stack" aria-labelledby="against">
<h2 id="against">Against base rates${renderMeaning('base rate')}</h2>
<p class="soft">Lower scores are better. The base rate is the share of yes among these same questions, which could not be known before: to be as good is an achievement.</p>
<div class="scroll" role="region" aria-label="Scores beside base rates" tabindex="0">
<table><thead><tr><th scope="col">Forecaster</th><th scope="col">Log score</th><th scope="col">95% range</th><th scope="col">Brier score</th></tr></thead>
<tbody>${rows.map(
    ([name, log, brier, range]) => html`
<tr><th scope="row">${name}</th><td>${formatFigure(log)}</td><td>${range}</td><td>${formatFigure(brier)}</td></tr>`,
  )}
</tbody></table></div>
<p class="soft">A skill of 1 is perfect, 0 is as good as the other forecaster, and below 0 is worse. A calibration error of 0 is perfect: it is the mean distance of the points from the dashed line.</p>
<div class="scroll" role="region" aria-label="Skill" tabindex="0">
<table><thead><tr><th scope="col">Figure</th><th scope="col">Value</th><th scope="col">95% range</th></tr></thead>
<tbody>${skills.map(
    ([name, value, range]) => html`
<tr><th scope="row">${name}</th><td>${formatFigure(value)}</td><td>${formatRange(range)}</td></tr>`,
  )}
</tbody></table></div>
</section>`;
}

const GROUP_HEADS = { category: 'Category', entity: 'About', model: 'Model', month: 'Month' } as const;

function renderGroups(groups: Scoreboard['groups'], by: NonNullable<Scoreboard['group_by']>, leftOut: number): Html {
  const head = GROUP_HEADS[by];
  return html`<section class="card stack" aria-labelledby="groups">
<h2 id="groups">By ${head.toLowerCase()}</h2>
${leftOut > 0 && html`<p class="soft">The smallest ${formatCount(leftOut, 'group')} ${leftOut === 1 ? 'is' : 'are'} left out.</p>`}
<div class="scroll" role="region" aria-label="Scores of the groups" tabindex="0">
<table><thead><tr><th scope="col">${head}</th><th scope="col">Questions</th><th scope="col">Yes</th><th scope="col">Log score</th><th scope="col">95% range</th><th scope="col">Brier score</th><th scope="col">Skill against the base rate</th></tr></thead>
<tbody>${groups.map(
    (one) => html`
<tr><th scope="row">${one.group === '(none)' ? 'People' : one.group}</th><td>${formatInteger(one.questions)}</td><td>${formatInteger(one.resolved_yes)}</td><td>${formatFigure(one.mean_log_loss)}</td><td>${formatRange(one.intervals.mean_log_loss)}</td><td>${formatFigure(one.brier)}</td><td>${formatFigure(one.skill_vs_base_rate)}</td></tr>`,
  )}
</tbody></table></div>
</section>`;
}

function renderLatest({ latest, overall }: Scoreboard): Html {
  return html`<section class="card stack" aria-labelledby="latest">
<h2 id="latest">Resolved last</h2>
<p class="soft">${latest.length < overall.questions ? `The last ${latest.length} of ${formatInteger(overall.questions)}. ` : ''}“Stamped” marks a probability whose proof was on a chain before the outcome was known.</p>
<div class="scroll" role="region" aria-label="Questions that were resolved last" tabindex="0">
<table><thead><tr><th scope="col" class="words">Question</th><th scope="col">Probability</th><th scope="col" class="words">Outcome</th><th scope="col">Log score</th><th scope="col">Brier score</th><th scope="col" class="words">${renderTerm('stamp', 'Stamp')}</th><th scope="col" class="when">Resolved</th></tr></thead>
<tbody>${latest.map(
    (one) => html`
<tr><th scope="row" class="words"><a class="tap" href="${questionPath(one)}">${one.question}</a></th><td class="middle">${formatProbability(one.probability)}</td><td class="words">${renderState(one)}</td><td>${formatRatio(one.log_score)}</td><td>${formatRatio(one.brier_score)}</td><td class="words">${renderStamped(one) || 'Not in time'}</td><td class="when">${renderTime(one.resolved_at)}</td></tr>`,
  )}
</tbody></table></div>
</section>`;
}
