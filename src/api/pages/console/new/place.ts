import type { Operations, Output } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { labelWorkspace } from '../../label-workspace.ts';
import { withReturnTo } from '../../visit.ts';
import { renderSelect } from '../fields.ts';
import { isFileSource } from '../source-address.ts';
import type { Choices } from './choices.ts';

export type Workspace = Output<Operations['listWorkspaces']>['workspaces'][number];

/** Returns whether the visitor may add forecasts: also a resource scope without forecasts forbids that. */
function canForecast({ capabilities }: Workspace): boolean {
  return capabilities.includes('forecast.create');
}

/**
 * Returns the choices with the workspace that the form shows as chosen. A forecast of a file belongs where the file is, so
 * that those who work on the file find it. A workspace in which the visitor may not forecast is left out: the form would
 * only be refused.
 */
export function choosePlace<Chosen extends Choices>(choices: Chosen, workspaces: readonly Workspace[]): Chosen {
  const { workspace_id: chosen, ...fields } = choices.fields;
  const { source } = choices;
  const wanted = chosen ?? (source !== null && isFileSource(source) ? source.workspace_id : undefined);
  const place = workspaces.find(({ id, slug }) => id === wanted || slug === wanted);
  if (place === undefined) return choices;
  return { ...choices, fields: canForecast(place) ? { ...fields, workspace_id: place.id } : fields };
}

interface PlaceOptions {
  readonly choices: Choices;
  readonly errors: FieldErrors;
  readonly workspaces: readonly Workspace[];
  readonly isGuest: boolean;
  readonly address: string;
}

/** Renders the choice of the workspace that the forecast belongs to, and of those that can see it. */
export function renderPlace({ choices, workspaces, errors, isGuest, address }: PlaceOptions): Html {
  if (isGuest) {
    return html`<p class="soft">A guest’s forecast is private and is kept for 30 days. <a href="${withReturnTo('/auth/sign-in', address)}">Sign in</a> to keep it, to publish it or to work in a workspace.</p>`;
  }
  const usable = workspaces.filter(canForecast);
  const own = { value: '', label: 'None: it is mine' };
  const isShareable = usable.length > 0;
  const visibilities = [
    { value: '', label: isShareable ? 'As usual for its place' : 'Private: only you' },
    ...(isShareable
      ? [
          { value: 'private', label: 'Private: only you' },
          { value: 'workspace', label: 'Members of the workspace' },
        ]
      : []),
    { value: 'public', label: 'Public: anyone with the link' },
  ];
  const hint = isShareable
    ? 'As usual: the members see it in a workspace, and only you elsewhere. It can be changed later.'
    : 'It can be changed later.';
  return html`<section class="card stack" aria-labelledby="place">
<h2 id="place">Place</h2>
<div class="fields">
${isShareable && renderSelect({ name: 'workspace_id', label: 'Workspace', term: 'workspace', hint: 'Its forecasts are listed there, its owner pays, and the limits of the owner’s plan apply.', options: [own, ...usable.map((workspace) => ({ value: workspace.id, label: labelWorkspace(workspace) }))], value: choices.fields.workspace_id ?? '' }, errors)}
${renderSelect({ name: 'visibility', label: 'Visibility', term: 'visibility', hint, options: visibilities, value: choices.fields.visibility ?? '' }, errors)}
</div></section>`;
}
