import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount, formatInteger } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderTerm } from '../terms.ts';
import type { ConsoleRoute } from '../visit.ts';
import { LEDGER_PATH, renderAdminHead, renderTime } from './words.ts';

type LedgerCheck = Output<Operations['checkLedger']>;

/** Checks the ledger on request, because the check reads all of it. */
export const ledgerPage: ConsoleRoute = {
  path: LEDGER_PATH,

  async get({ visitor, query }) {
    // Decides whether the visitor may see the page at all, also if it does not run the check.
    const state = await visitor.call('readServiceState');
    const check = query.check === 'now' ? await visitor.call('checkLedger') : null;
    return {
      title: 'Ledger',
      section: 'admin',
      body: html`${renderAdminHead('ledger', 'Ledger', html`Whether the ${renderTerm('credit', 'credits')} and ${renderTerm('slot', 'slots')} of all forecasts add up.`)}
<section class="card stack" aria-labelledby="check">
${
  check === null
    ? html`<h2 id="check">Check the ledger</h2>
<p>Every credit is recorded twice: where it comes from and where it goes. The check adds up all entries of ${formatCount(state.accounts.total, 'account')} and
compares them with the forecasts. It changes nothing, and the service continues meanwhile.</p>`
    : renderCheck(check)
}
<form method="get" action="${LEDGER_PATH}"><input type="hidden" name="check" value="now"><button${check !== null && html` class="quiet"`}>${
        check === null ? 'Check now' : 'Check again'
      }</button></form>
</section>
${check !== null && !check.sound && renderErrors(check)}`,
    };
  },
};

function renderCheck({ sound, entries, transfers, errors, at }: LedgerCheck): Html {
  return html`<div class="card-head"><h2 id="check">${sound ? 'The ledger adds up' : `The ledger has ${formatCount(errors, 'error')}`}</h2>
<span class="tag ${sound ? 'good' : 'bad'}">${sound ? 'Sound' : 'Not sound'}</span></div>
<dl class="tiles"><div><dt>Entries</dt><dd>${formatInteger(entries)}</dd></div><div><dt>Transfers</dt><dd>${formatInteger(transfers)}</dd></div><div><dt>Errors</dt><dd>${formatInteger(errors)}</dd></div></dl>
<p class="hint">Checked ${renderTime(at)}.</p>`;
}

function renderErrors({ unbalanced, open, slots }: LedgerCheck): Html {
  const lists: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Transfers that do not add up to zero', unbalanced],
    ['Forecasts whose credits do not match their state', open],
    [
      'Slots that differ from the unfinished forecasts',
      slots.map(({ owner, active, expected }) => `${owner}: ${active} taken, ${expected} expected`),
    ],
  ];
  return html`${lists
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) => html`<section class="card stack"><h2>${title}</h2>
<ul class="ledger-errors">${lines.map((line) => html`<li><code>${line}</code></li>`)}</ul></section>`,
    )}
<p class="hint">Each list has at most 100 lines. Please report an error of the ledger with these lines.</p>`;
}
