import { readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsoleRoute } from '../visit.ts';
import { forAccounts } from './access.ts';
import { filterIdOf, filterPath } from './filter-path.ts';

/** Turns the emails of a filter on or off. The form states which, so that sending it twice changes nothing more. */
export const emailSwitch: ConsoleRoute = {
  path: '/screener/:id/email',
  get: forAccounts(async (visit) => new SeeOther(filterPath(filterIdOf(visit)))),
  post: forAccounts(async (visit) => {
    const id = filterIdOf(visit);
    const email = readField(visit.form, 'email') === 'on';
    await visit.visitor.call('updateScreenerAlert', { params: { alert_id: id }, body: { email } });
    const address = readField(visit.form, 'from') === 'mails' ? '/screener/mails' : filterPath(id);
    setNotice(visit, email ? 'filter_emails_on' : 'filter_emails_off', address);
    return new SeeOther(address);
  }),
};

/** Renders the button that turns the emails of a filter on or off. */
export function renderEmailSwitch(
  { id, name, email }: { readonly id: string; readonly name: string; readonly email: boolean },
  from: 'filter' | 'mails',
): Html {
  return html`<form method="post" action="${filterPath(id)}/email"><input type="hidden" name="email" value="${email ? 'off' : 'on'}"><input type="hidden" name="from" value="${from}"><button class="quiet">${email ? 'Turn emails off' : 'Turn emails on'}${from === 'mails' && html`<span class="away"> for ${name}</span>`}</button></form>`;
}
