import type { Operations, Output } from '../../../../contract/index.ts';
import { formatMoment } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderNote } from '../states.ts';

type Delivery = Output<Operations['listScreenerMails']>['delivery'];

/** Renders whether the account receives emails about its filters and, if not, why. */
export function renderDelivery({ state, since }: Delivery): Html {
  if (state === 'on')
    return renderNote(
      'good',
      'After each close in which one of the filters with emails turned on matches, you get one email.',
      'Emails are on',
    );
  if (state === 'off')
    return renderNote(
      'info',
      'No filter has emails turned on. The filters are evaluated all the same, and their matches are listed here.',
      'Emails are off',
    );
  return renderNote(
    'warning',
    html`An email to your address came back${
      since !== null && html` on <time datetime="${since}" data-local>${formatMoment(new Date(since))}</time>`
    }: the mailbox does not exist. To get emails again, have a link sent from <a href="/auth/account">your account page</a> and open it.`,
    'Emails are suspended',
  );
}
