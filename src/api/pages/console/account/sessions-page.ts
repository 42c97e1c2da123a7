import { html } from '../../html.ts';
import type { ConsoleRoute } from '../visit.ts';
import { formatBrowser } from './browser-names.ts';
import { endingHandler, renderEnding } from './change.ts';
import { backTo, forAccounts, partPath, renderPart } from './frame.ts';
import { renderTime } from './times.ts';

const PATH = partPath('sessions');

const sessionsPage: ConsoleRoute = {
  path: PATH,
  get: forAccounts('sessions', async ({ visitor }, account) => {
    const { sessions } = await visitor.call('listSessions');
    const hasOthers = sessions.some(({ current }) => !current);
    return renderPart({
      part: 'sessions',
      account,
      lead: 'A browser that is not used for seven days is signed out automatically.',
      body: html`<section class="card stack" aria-label="Signed-in browsers">
<ul class="list">${sessions.map(({ id, current, user_agent, created_at, last_used_at }) => {
        const name = formatBrowser(user_agent);
        return html`<li><div><p><strong>${name}</strong> ${current && html`<span class="tag good">this one</span>`}</p>
<p class="hint">Signed in ${renderTime(created_at)}, last used ${renderTime(last_used_at)}</p></div>
${!current && renderEnding(partPath('sessions', 'end'), id, 'Sign out', `Sign out ${name}`)}</li>`;
      })}</ul>
</section>
<div class="actions">${hasOthers && renderEnding(partPath('sessions', 'end-others'), null, 'Sign out everywhere else')}
<a class="button quiet" href="/auth/sign-out">Sign out here</a></div>
<p class="hint">If you do not know one of these browsers, sign it out and <a href="${partPath('password')}">choose a new password</a>.</p>`,
    });
  }),
};

export const SESSION_PAGES: readonly ConsoleRoute[] = [
  sessionsPage,
  {
    path: partPath('sessions', 'end'),
    post: endingHandler(
      'sessions',
      ({ visitor }, id) => visitor.call('endSessionById', { params: { session_id: id } }),
      'session_ended',
    ),
  },
  {
    path: partPath('sessions', 'end-others'),
    post: async (visit) => {
      const { ended } = await visit.visitor.call('endOtherSessions');
      return backTo(visit, PATH, ended > 0 ? 'sessions_ended' : 'gone_already');
    },
  },
];
