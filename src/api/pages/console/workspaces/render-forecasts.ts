import { drawSparkline } from '../../../../charts/index.ts';
import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import { Html, html } from '../../html.ts';
import { describeState } from '../forecasts/describe-forecast.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleVisit } from '../visit.ts';
import { renderDay } from './words.ts';
import type { Collaborator, Workspace } from './workspace-visit.ts';

type Listed = Output<Operations['listWorkspaceForecasts']>['forecasts'][number];
type Shared = Extract<Listed, { readonly slug: string }>;
type Preview = Output<Operations['previewForecasts']>['previews'][string];

/** The latest forecasts of a workspace, as far as the visitor may see them. */
export interface LatestForecasts {
  readonly forecasts: readonly Listed[];
  readonly hasMore: boolean;
  readonly previews: Readonly<Record<string, Preview>>;
}

const SHOWN = 6;

/** Reads the latest forecasts. Returns null if the visitor's resource scope contains no forecasts. */
export async function readForecasts({ visitor }: ConsoleVisit, workspace: Workspace): Promise<LatestForecasts | null> {
  if (!workspace.capabilities.includes('forecast.list')) return null;
  const { forecasts, next_cursor } = await visitor.call('listWorkspaceForecasts', {
    params: { workspace_id: workspace.id },
    query: { limit: SHOWN },
  });
  const ids = forecasts.filter(isShared).map(({ forecast_id }) => forecast_id);
  const previews =
    ids.length === 0 ? {} : (await visitor.call('previewForecasts', { query: { ids: ids.join(',') } })).previews;
  return { forecasts, hasMore: next_cursor !== null, previews };
}

function isShared(forecast: Listed): forecast is Shared {
  return 'slug' in forecast;
}

/** Renders the forecasts that members made in the workspace, with their creators. */
export function renderForecasts(
  visit: ConsoleVisit,
  workspace: Workspace,
  latest: LatestForecasts | null,
  collaborators: readonly Collaborator[],
): Html {
  const canCreate = workspace.capabilities.includes('forecast.create');
  const creators = new Map(
    collaborators.flatMap(({ user }) => (user === null ? [] : [[user.id, user.email] as const])),
  );
  const { principal } = visit.visitor;
  const own = principal.kind === 'account' ? principal.accountId : null;
  const all = `/forecasts?workspace_id=${encodeURIComponent(workspace.id)}`;
  return html`<section class="card stack" aria-labelledby="forecasts">
<div class="card-head"><h2 id="forecasts">Forecasts</h2>
${canCreate && html`<a class="button quiet" href="/new">New forecast</a>`}</div>
${latest === null ? renderNoAccess() : renderLatest(latest, { creators, own, canCreate, files: `/workspaces/${encodeURIComponent(workspace.slug)}/files` })}
${latest !== null && latest.forecasts.length > 0 && html`<p><a class="tap" href="${all}">${latest.hasMore ? 'Show all forecasts of this workspace' : 'Search and sort these forecasts'}</a></p>`}
</section>`;
}

function renderNoAccess(): Html {
  return html`<p class="soft">Your membership gives you access to no forecasts. The owner of the workspace can change that.</p>`;
}

interface Around {
  readonly creators: ReadonlyMap<string, string>;
  /** The account of the visitor. */
  readonly own: string | null;
  /** The address of the files of the workspace. */
  readonly files: string;
  readonly canCreate: boolean;
}

function renderLatest({ forecasts, previews }: LatestForecasts, around: Around): Html {
  if (forecasts.length === 0) {
    return renderEmpty({
      title: 'No forecasts yet',
      text: around.canCreate
        ? html`<a href="${around.files}">Forecast a file of this workspace</a>, or search a series and choose this workspace under “Place” in the form of the forecast: it then appears here for every member with access.`
        : 'Forecasts that the members make in this workspace appear here.',
      level: 3,
    });
  }
  return html`<ul class="shared-forecasts">${forecasts.map((forecast) =>
    isShared(forecast) ? renderShared(forecast, previews[forecast.forecast_id], around) : renderPrivate(forecast),
  )}
</ul>`;
}

function renderShared(forecast: Shared, preview: Preview | undefined, { creators, own }: Around): Html {
  const { slug, name, created_by, created_at, visibility } = forecast;
  const { label, tone } = describeState(forecast);
  const creator = created_by === own ? 'you' : (creators.get(created_by ?? '') ?? 'a former member');
  return html`
<li><div class="shared-spark">${preview !== undefined && renderLine(preview)}</div>
<div class="person"><h3><a href="/forecasts/${slug}">${name}</a></h3>
<p class="soft small">by ${creator} · ${renderDay(created_at)}${visibility !== 'workspace' && ` · ${visibility === 'public' ? 'public' : 'only you can see it'}`}</p></div>
<p><span class="tag${tone !== null && ` ${tone}`}">${label}</span></p></li>`;
}

function renderLine({ history, median, low, high }: Preview): Html | false {
  // The row states in words what the line shows, so screen readers skip it.
  return (
    history.length + median.length + low.length > 0 &&
    new Html(drawSparkline({ history, median, low, high }, { width: 120, height: 40 }))
  );
}

/** Renders what the owner, which pays, sees of a private forecast of another member. */
function renderPrivate({ status, credits, created_at }: Exclude<Listed, Shared>): Html {
  const { label, tone } = describeState({ status, progress: null });
  return html`
<li><div class="shared-spark"></div>
<div class="person"><h3>Private forecast of another member</h3>
<p class="soft small">You pay for it and do not see its content · ${formatCount(credits, 'credit')} · ${renderDay(created_at)}</p></div>
<p><span class="tag${tone !== null && ` ${tone}`}">${label}</span></p></li>`;
}
