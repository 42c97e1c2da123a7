import type { PublicReference, SourceReference } from '../../../../contract/index.ts';
import { describeSource } from '../../forecast/describe-source.ts';
import { formatMoment } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { labelWorkspace } from '../../label-workspace.ts';
import { type FieldName, newAddress } from '../new/choices.ts';
import { withoutVintage } from '../replay/replay-request.ts';
import { seriesAddress } from '../source-address.ts';
import type { ConsoleVisit } from '../visit.ts';
import type { Forecast } from './view.ts';

const STATES = {
  queued: ['info', 'Queued'],
  running: ['info', 'Running'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
} as const;

const CANCELED = 'FORECAST_CANCELED';

export function isCanceled({ error }: Pick<Forecast, 'error'>): boolean {
  return error?.code === CANCELED;
}

/** The page that lists a forecast. */
export interface Crumb {
  readonly href: string;
  readonly label: string;
}

/** Returns the page that leads to a forecast: the visitor's own list, or the workspace that shares it. */
export async function findCrumb({ visitor }: ConsoleVisit, forecast: Forecast, isOwn: boolean): Promise<Crumb> {
  const own = { href: '/forecasts', label: 'My forecasts' };
  const id = forecast.workspace_id;
  if (isOwn || id === null || visitor.principal.kind !== 'account') return own;
  const { workspaces } = await visitor.call('listWorkspaces');
  const found = workspaces.find((one) => one.id === id);
  return found === undefined ? own : { href: `/workspaces/${encodeURIComponent(id)}`, label: labelWorkspace(found) };
}

/** Renders the name of a forecast, its state and what leads on from it. @param series the title of the series, if known */
export function renderHead(forecast: Forecast, crumb: Crumb, series?: string | null): Html {
  const { name, slug, settings, status, created_at } = forecast;
  const [tone, word] = isCanceled(forecast) ? (['warning', 'Canceled'] as const) : STATES[status];
  const source = publicSource(settings.source);
  return html`<nav class="crumbs" aria-label="Where you are"><ul><li><a href="${crumb.href}">${crumb.label}</a></li><li aria-current="page">${name}</li></ul></nav>
<header class="page-head">
<div><p class="eyebrow">${series ? `${series} · ` : ''}${describeSource(settings.source)}</p>
<h1>${name}</h1>
<p class="state"><span class="tag ${tone}" data-state>${word}</span> <span class="soft">Made at <time datetime="${created_at}" data-local>${formatMoment(new Date(created_at))}</time></span></p></div>
<p class="actions">${
    source !== null && html`<a class="button quiet" href="${seriesAddress(source)}">Open the series</a>`
  }${status === 'completed' && source !== null && html`<a class="button quiet" href="/forecasts/${slug}/replays">Replay the past</a>`}</p>
</header>
`;
}

/** Returns a source whose page every visitor can open; null for rows and files of the owner. */
export function publicSource(source: SourceReference | null): PublicReference | null {
  return source === null || source.type === 'workspace_csv' ? null : source;
}

/** What a request can have beside its series, models and weights, by the names of the form. */
const REPEATED = [
  'title',
  'workspace_id',
  'visibility',
  'mode',
  'weight_mode',
  'weighting_policy',
  'transform',
  'seed',
  'cutoff',
  'settle_days',
  'limit',
] as const;

/**
 * Returns the address of the form for another forecast with the same series and settings; null if the form cannot name
 * the series. What the request left open stays open.
 */
export function againAddress({ settings, request }: Forecast): string | null {
  const source = publicSource(settings.source);
  if (source === null) return null;
  const fields: Partial<Record<FieldName, string>> = { horizon: String(settings.horizon) };
  for (const name of REPEATED) if (isText(request[name])) fields[name] = String(request[name]);
  if (request.quantiles !== undefined) fields.quantiles = settings.quantiles.join(', ');
  if (settings.as_known_at_cutoff) fields.as_known_at_cutoff = 'on';
  return newAddress({
    // The vintage follows from the cutoff, and a request has only one of the two.
    source: settings.as_known_at_cutoff ? withoutVintage(source) : source,
    fields,
    hasSuggestedTitle: false,
    models: request.models === undefined ? [] : settings.models,
    weights: Object.fromEntries(Object.entries(settings.weights ?? {}).map(([id, weight]) => [id, String(weight)])),
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
