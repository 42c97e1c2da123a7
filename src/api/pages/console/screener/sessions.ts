import type { Operations, Output } from '../../../../contract/index.ts';
import { formatDay } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderMeaning } from '../terms.ts';
import { formatMatches } from './filter-words.ts';

type Sessions = Output<Operations['listScreenerSessions']>;

interface Place {
  /** The session whose matches the page lists. */
  readonly shown: string | null;
  /** Whether the list begins after the newest session. */
  readonly isLater: boolean;
}

/** Renders the sessions for which a filter was evaluated, each with a link to its matches. */
export function renderSessions(
  path: string,
  { sessions, next_cursor: next }: Sessions,
  { shown, isLater }: Place,
): Html {
  return html`<section class="card stack" aria-labelledby="sessions"><h2 id="sessions">By session${renderMeaning('session')}</h2>
${
  sessions.length === 0
    ? html`<p class="soft">No session has been evaluated with this filter yet.</p>`
    : html`<ul class="session-list">${sessions.map(
        ({ session, total, new_total: newTotal }) => html`
<li><a href="${path}?session=${session}"${session === shown && html` aria-current="true"`}><time datetime="${session}">${formatDay(new Date(session))}</time><span class="small soft">${formatMatches(total, newTotal)}</span></a></li>`,
      )}
</ul>`
}
${isLater && html`<p><a class="tap" href="${path}">Newest sessions</a></p>`}
${next !== null && html`<p><a class="tap" href="${path}?sessions=${encodeURIComponent(next)}">Earlier sessions</a></p>`}
</section>`;
}
