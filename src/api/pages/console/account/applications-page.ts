import { html } from '../../html.ts';
import { renderEmpty } from '../states.ts';
import { renderMeaning } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { askingRoute, renderEndingLink } from './change.ts';
import { forAccounts, partPath, renderPart } from './frame.ts';
import { renderLastUsed, renderTime } from './times.ts';

const applicationsPage: ConsoleRoute = {
  path: partPath('applications'),
  get: forAccounts('applications', async ({ visitor }, account) => {
    const { applications } = await visitor.call('listApplications');
    return renderPart({
      part: 'applications',
      account,
      lead: html`These applications${renderMeaning('application')} can use your account until you revoke their access.`,
      body:
        applications.length === 0
          ? renderEmpty({
              title: 'No application can use your account',
              text: 'An application asks for your permission on a page of this site. What you allow is listed here.',
            })
          : html`<section class="card stack" aria-label="Connected applications">
<ul class="list">${applications.map(
              ({ id, name, allowed_at, last_used_at }) => html`<li><div><p><strong>${name}</strong></p>
<p class="hint">Allowed ${renderTime(allowed_at)}, ${renderLastUsed(last_used_at)}</p></div>
${renderEndingLink(partPath('applications', 'revoke'), id, 'Revoke', `Revoke ${name}`)}</li>`,
            )}</ul>
</section>`,
    });
  }),
};

async function findApplication({ visitor }: ConsoleVisit, id: string) {
  const { applications } = await visitor.call('listApplications');
  return applications.find((application) => application.id === id) ?? null;
}

export const APPLICATION_PAGES: readonly ConsoleRoute[] = [
  applicationsPage,
  askingRoute({
    part: 'applications',
    action: 'revoke',
    ask: async (visit, id) => {
      const application = await findApplication(visit, id);
      return (
        application && {
          heading: `Revoke the access of ${application.name}?`,
          body: html`<p>It can use your account since ${renderTime(application.allowed_at)}, ${renderLastUsed(application.last_used_at)}.</p>
<ul class="ticks"><li>It can no longer read or change anything of yours.</li>
<li>API keys and feeds that it created stop working.</li>
<li>What it made, such as forecasts, stays in your account.</li>
<li>It can ask for your permission again.</li></ul>`,
          button: 'Revoke the access',
          keep: 'Keep it',
        }
      );
    },
    end: ({ visitor }, id) => visitor.call('revokeApplication', { params: { application_id: id } }),
    notice: 'application_revoked',
  }),
];
