import type { Account } from '../../../../access/index.ts';
import {
  Fault,
  MAX_NOTIFICATION_MAILS_PER_DAY,
  MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS,
  type NotificationMailState,
  type Operations,
  type Output,
} from '../../../../contract/index.ts';
import { readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { NO_MAIL_SERVER } from '../../no-mail-server.ts';
import type { ConsolePage } from '../document.ts';
import { renderCheck } from '../fields.ts';
import { attempt, type Refusal, toRefusal } from '../refusals.ts';
import { renderNote } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { renderEnding } from './change.ts';
import { ACCOUNT_PATH, backTo, forAccounts, partPath, renderPart } from './frame.ts';
import { renderTime } from './times.ts';

type Settings = Output<Operations['readNotifications']>;

const PATH = partPath('notifications');

/** The switches of the emails about forecasts, and whether such emails arrive. */
export const notificationsPage: ConsoleRoute = {
  path: PATH,
  get: forAccounts('notifications', (visit, account) => showSettings(visit, account)),
  post: forAccounts('notifications', async (visit, account) => {
    const [forecasts, outcomes] = ['forecasts', 'outcomes'].map((name) => readField(visit.form, name) !== undefined);
    const changed = await attempt(() => visit.visitor.call('updateNotifications', { body: { forecasts, outcomes } }));
    if (changed instanceof Fault) return showSettings(visit, account, toRefusal(changed));
    return backTo(visit, PATH, 'notifications_changed');
  }),
};

async function showSettings(visit: ConsoleVisit, account: Account, refusal?: Refusal): Promise<ConsolePage> {
  const settings = await visit.visitor.call('readNotifications');
  return renderPart({
    part: 'notifications',
    account,
    lead: 'A forecast can take minutes, and its outcome months. An email tells you when there is something to see.',
    refusal,
    body: html`${account.emailVerified ? renderDelivery(visit, account, settings) : renderUnverified(visit, account)}
${account.emailVerified && renderSwitches(settings)}
${renderLast(settings)}
${account.emailVerified && html`<p class="hint">Emails about filters are <a href="/screener/mails">on a page of their own</a>.</p>`}`,
  });
}

function renderUnverified({ hasMailServer }: ConsoleVisit, { email }: Account): Html {
  const text = hasMailServer
    ? 'Open the link in the email that we sent you.'
    : `${NO_MAIL_SERVER} Open the link in it.`;
  return html`${renderNote('warning', html`Emails about forecasts go only to a confirmed address, and <strong>${email}</strong> is not confirmed yet. ${text}`, 'Confirm your email address first')}
${renderEnding(`${ACCOUNT_PATH}/verification`, null, 'Send the email again')}`;
}

/** Renders whether the account gets emails about forecasts and, if not, why. */
function renderDelivery({ hasMailServer }: ConsoleVisit, { email }: Account, { delivery }: Settings): Html {
  const { state, since } = delivery;
  if (state === 'suspended') {
    return html`${renderNote(
      'warning',
      html`An email to <strong>${email}</strong> came back${since !== null && html` ${renderTime(since)}`}. To get emails again, have a link sent and open it.`,
      'Emails are suspended',
    )}
${renderEnding(`${ACCOUNT_PATH}/verification`, null, 'Send the link')}`;
  }
  if (state === 'off')
    return renderNote('info', 'Choose below what you want to hear about.', 'Emails about forecasts are off');
  const text = hasMailServer ? html`They go to <strong>${email}</strong>.` : NO_MAIL_SERVER;
  return renderNote(hasMailServer ? 'good' : 'info', text, 'Emails about forecasts are on');
}

function renderSwitches({ forecasts, outcomes }: Settings): Html {
  return html`<section class="card stack" aria-labelledby="switches">
<h2 id="switches">Send an email when …</h2>
<form method="post" action="${PATH}" class="stack">
<div class="choices">${renderCheck({
    name: 'forecasts',
    label: 'A forecast is done',
    hint: 'It has completed, or has failed. Those that you cancel are left out.',
    checked: forecasts,
  })}
${renderCheck({
  name: 'outcomes',
  label: 'An outcome is known',
  hint: 'All rows that a forecast predicted are there, and it is scored.',
  checked: outcomes,
})}</div>
<p class="actions"><button>Save</button></p>
</form>
<p class="hint">You get at most one email in ${MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS} minutes and ${MAX_NOTIFICATION_MAILS_PER_DAY} in 24 hours. Each one lists everything since the one before, and has a link that turns these emails off.</p>
</section>`;
}

const STATES: Readonly<Record<NotificationMailState, readonly [tone: string, label: string, why: string]>> = {
  queued: ['info', 'Waiting', 'It is sent as soon as the limits above allow it.'],
  sent: ['good', 'Sent', ''],
  failed: ['bad', 'Not sent', 'The mail server rejected it, or could not be reached.'],
  unknown: [
    'warning',
    'Unclear',
    'The connection to the mail server ended before it confirmed the email, so it may have arrived. It is not sent again.',
  ],
  skipped: ['warning', 'Not sent', 'The emails were turned off, or the address could not get emails.'],
};

/** Renders what became of the last email. Before the first one, there is nothing. */
function renderLast({ last_email: last }: Settings): Html | null {
  if (last === null) return null;
  const [tone, label, why] = STATES[last.state];
  return html`<section class="card stack" aria-labelledby="last">
<div class="card-head"><h2 id="last">The last email</h2><span class="tag ${tone}">${label}</span></div>
<p>${last.sent_at === null ? html`Of ${renderTime(last.created_at)}.` : html`Sent ${renderTime(last.sent_at)}.`} ${why}</p>
</section>`;
}
