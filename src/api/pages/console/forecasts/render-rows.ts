import { drawSparkline } from '../../../../charts/index.ts';
import { renderKnownRows } from '../../forecast/known-rows.ts';
import { formatCount, formatDay, formatMoment } from '../../format.ts';
import { Html, html } from '../../html.ts';
import { labelWorkspace } from '../../label-workspace.ts';
import { describeOwnSource, describeScore, describeState, describeVisibility } from './describe-forecast.ts';
import type { Choices, ListedForecast, ListPage, Previews, RowForecast } from './read-list.ts';

type Preview = Previews[string];
type Undisclosed = Exclude<RowForecast, ListedForecast | { readonly slug: string }>;

/** What rows need besides the forecast: the names behind ids, and the time. */
interface Surroundings {
  readonly now: Date;
  readonly workspaces: ReadonlyMap<string, string>;
  readonly models: ReadonlyMap<string, string>;
}

/** Renders the forecasts of a page of the list. */
export function renderRows({ forecasts, previews, now }: ListPage, { workspaces, models }: Choices): Html {
  const around: Surroundings = {
    now,
    workspaces: new Map(workspaces.map((workspace) => [workspace.id, labelWorkspace(workspace)])),
    models: new Map(models.map(({ id, name }) => [id, name])),
  };
  return html`<ol class="forecast-list">${forecasts.map((forecast) =>
    isDisclosed(forecast) ? renderRow(forecast, previews[forecast.forecast_id], around) : renderUndisclosed(forecast),
  )}
</ol>`;
}

function isDisclosed(forecast: RowForecast): forecast is Exclude<RowForecast, Undisclosed> {
  return 'slug' in forecast;
}

function renderRow(forecast: ListedForecast, preview: Preview | undefined, around: Surroundings): Html {
  const { forecast_id: id, slug, name, status } = forecast;
  const endsAt = preview?.ends_at ?? null;
  const isOver = endsAt !== null && Date.parse(endsAt) <= around.now.getTime();
  const isLive = status === 'queued' || status === 'running';
  return html`
<li class="forecast-row" data-forecast="${id}" data-name="${name}" data-status="${status}"${isLive && html` data-live`}>
<div class="forecast-spark">${renderSparkline(preview)}</div>
<div class="forecast-what">
<h2><a href="/forecasts/${slug}">${name}</a></h2>
<p class="soft small">${describeSubject(forecast, preview)}${renderPlace(forecast, around)}</p>
</div>
<div class="forecast-state">${renderState(forecast, around)}</div>
<div class="forecast-score small">${renderScore(forecast, isOver)}</div>
<div class="forecast-when small soft">${renderMoment('Created', forecast.created_at)}
<p>${describeVisibility(forecast, around.workspaces.get(forecast.workspace_id ?? ''))}</p></div>
</li>`;
}

/** Renders the workspace of a forecast below its name, so that equal names can be told apart. */
function renderPlace({ workspace_id: id }: ListedForecast, { workspaces }: Surroundings): Html | null {
  const name = id === null ? undefined : workspaces.get(id);
  return name === undefined ? null : html` · <strong>${name}</strong>`;
}

function renderSparkline(preview: Preview | undefined): Html | null {
  if (preview === undefined) return null;
  const { history, median, low, high } = preview;
  if (history.length + median.length + low.length === 0) return null;
  // The row states in words what the line shows, so screen readers skip it.
  return new Html(drawSparkline({ history, median, low, high }, { width: 148, height: 44 }));
}

function describeSubject({ title, source, cutoff, reproduces }: ListedForecast, preview: Preview | undefined): Html {
  const parts: (string | Html)[] = [describeOwnSource(source)];
  if (title !== null && preview !== undefined) parts.unshift(preview.subject);
  if (preview?.until) {
    parts.push(html`until <time datetime="${preview.until}">${formatDay(new Date(preview.until))}</time>`);
  }
  if (cutoff !== null) {
    parts.push(html`from rows ${renderKnownRows(cutoff, null)} only`);
  }
  if (reproduces !== null) parts.push('a reproduction');
  return html`${parts.map((part, i) => html`${i > 0 && ' · '}${part}`)}`;
}

function renderState(forecast: ListedForecast, { models }: Surroundings): Html {
  const { label, tone, detail, progress } = describeState(forecast, models);
  return html`<p><span class="tag${tone !== null && ` ${tone}`}">${label}</span></p>${
    progress !== null &&
    html`
<progress aria-label="Models that are done" max="${progress.total}" value="${progress.done}">${progress.done} of ${progress.total}</progress>`
  }${
    detail !== null &&
    html`
<p class="small soft">${detail}</p>`
  }`;
}

function renderScore(forecast: ListedForecast, isOver: boolean): Html | null {
  const { outcome, validation } = describeScore(forecast, isOver);
  if (outcome === null && validation === null) return null;
  return html`${outcome !== null && html`<p>${outcome}</p>`}${validation !== null && html`<p class="soft">${validation}</p>`}`;
}

function renderMoment(label: string, moment: string): Html {
  return html`<p>${label} <time datetime="${moment}" data-local>${formatMoment(new Date(moment))}</time></p>`;
}

/** Renders what the owner of a workspace sees of a private forecast of another member. */
function renderUndisclosed({ forecast_id: id, status, credits, created_at }: Undisclosed): Html {
  const { label, tone } = describeState({ status, progress: null });
  return html`
<li class="forecast-row" data-forecast="${id}" data-status="${status}">
<div class="forecast-spark"></div>
<div class="forecast-what"><h2>Private forecast of another member</h2>
<p class="soft small">You pay for it as the owner of the workspace, and its content stays with its creator.</p></div>
<div class="forecast-state"><p><span class="tag${tone !== null && ` ${tone}`}">${label}</span></p></div>
<div class="forecast-score small"><p>${formatCount(credits, 'credit')} reserved</p></div>
<div class="forecast-when small soft">${renderMoment('Created', created_at)}<p>Private</p></div>
</li>`;
}
