import { readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleRoute } from '../visit.ts';
import { formatBrowser } from './browser-names.ts';
import { ALARMING, describeDetails, SECURITY_EVENT_WORDS } from './event-words.ts';
import { forAccounts, partPath, renderPart } from './frame.ts';
import { renderTime } from './times.ts';

const PATH = partPath('security');
const PAGE_SIZE = 25;

/** The security events, newest first. */
export const securityPage: ConsoleRoute = {
  path: PATH,
  get: forAccounts('security', async ({ visitor, query }, account) => {
    const cursor = readField(query, 'cursor');
    const { events, next_cursor } = await visitor.call('listSecurityEvents', {
      query: { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
    });
    return renderPart({
      part: 'security',
      account,
      lead: html`If you do not recognize one of these, <a href="${partPath('password')}">change your password</a>. Events are kept for at least 400 days, without your full network address.`,
      body: html`${
        events.length === 0
          ? renderEmpty({ title: 'No more events', text: 'There are no older events.' })
          : html`<div class="card stack">
<div class="scroll" tabindex="0" role="region" aria-label="Security events">
<table><thead><tr><th scope="col">Event</th><th scope="col" class="words">When</th><th scope="col" class="words">Network</th><th scope="col" class="words">Browser or program</th></tr></thead>
<tbody>${events.map(({ kind, at, network, user_agent, details }) => {
              const about = describeDetails(details);
              return html`<tr><th scope="row" class="words">${SECURITY_EVENT_WORDS[kind]}${about !== null && html`: ${about}`} ${
                ALARMING.includes(kind) && html`<span class="tag warning">look at this</span>`
              }</th><td class="when">${renderTime(at)}</td><td class="words">${network ?? '–'}</td><td class="words">${
                user_agent === null ? '–' : formatBrowser(user_agent)
              }</td></tr>`;
            })}</tbody></table></div>
</div>`
      }
${
  (next_cursor !== null || cursor !== undefined) &&
  html`<nav class="pagination" aria-label="Pages of events"><p class="actions">${
    cursor !== undefined && html`<a class="button quiet" href="${PATH}">Newest events</a>`
  }${next_cursor !== null && html`<a class="button quiet" href="${PATH}?${new URLSearchParams({ cursor: next_cursor }).toString()}">Older events</a>`}</p></nav>`
}`,
    });
  }),
};
