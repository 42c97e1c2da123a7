import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import { hidden, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderFormPage } from '../form-page.ts';
import type { Refusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { forAccounts } from './access.ts';
import { filterIdOf, filterPath } from './filter-path.ts';
import { describeRules } from './filter-words.ts';
import { deleteFilter } from './save.ts';

type Filter = Output<Operations['readScreenerAlert']>;

export const deleteFilterPage: ConsoleRoute = {
  path: '/screener/:id/delete',
  get: forAccounts(async (visit) => {
    const params = { alert_id: filterIdOf(visit) };
    return showDeleting(visit, await visit.visitor.call('readScreenerAlert', { params }));
  }),
  post: forAccounts(async (visit) => {
    const result = await deleteFilter(visit.visitor, filterIdOf(visit), readField(visit.form, 'seen'));
    if (typeof result === 'object') return showDeleting(visit, result, CHANGED);
    setNotice(visit, result === 'deleted' ? 'filter_deleted' : 'gone_already', '/screener');
    return new SeeOther('/screener');
  }),
};

const CHANGED: Refusal = {
  status: 412,
  message: 'The filter changed while this page was open. Nothing was deleted. This is how it is now; decide again.',
};

const MAX_COUNTED = 100;

async function showDeleting({ visitor }: ConsoleVisit, filter: Filter, refusal?: Refusal): Promise<ConsolePage> {
  const { id, name, email, updated_at: seen } = filter;
  const query = { limit: MAX_COUNTED };
  const { sessions, next_cursor: more } = await visitor.call('listScreenerSessions', {
    params: { alert_id: id },
    query,
  });
  const count = `${more !== null ? 'more than ' : ''}${formatCount(sessions.length, 'session')}`;
  return renderFormPage({
    heading: 'Delete this filter?',
    title: `Delete this filter? ${name}`,
    section: 'screener',
    crumbs: [
      { href: '/screener', label: 'Screener' },
      { href: filterPath(id), label: name },
    ],
    refusal,
    body: html`<p><strong>${name}</strong> will be gone for good. This cannot be undone.</p>
<p class="soft">${describeRules(filter)}</p>
<ul class="ticks">
<li>${sessions.length === 0 ? 'It has no stored matches.' : `Its matches in ${count} are removed.`}</li>
<li>${email ? 'Emails that are still waiting no longer include it.' : 'It sends no emails.'}</li>
<li>Emails that were sent stay in your mailbox, and the symbols and their prices stay as they are.</li>
</ul>
<form method="post" action="${filterPath(id)}/delete" class="actions">${hidden('seen', seen)}<button class="danger">Delete the filter</button>
<a class="button quiet" href="${filterPath(id)}">Keep it</a></form>`,
  });
}
