import { createHash } from 'node:crypto';
import { type Fault, MAX_LISTED_ITEMS } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderFormPage } from '../form-page.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { FAREWELL } from './farewell-page.ts';
import { needsAccount, renderForAccounts } from './for-accounts.ts';
import type { Erasure } from './owned-words.ts';
import {
  type Chosen,
  KEEP_ALL,
  keepField,
  renderBlocked,
  renderConfirmation,
  renderKeepable,
  renderMemberships,
  renderRemoved,
} from './render-erasure.ts';

const PURPOSE = {
  title: 'Erase your account',
  text: 'Remove your account with everything that it owns. The page lists all of it first.',
};

const LABELS = {
  current_password: ['password', 'The password'],
  keep_public: ['keep_public', 'Public forecasts that stay'],
} as const;

const NOTHING_CHOSEN: Chosen = { ids: new Set(), isAll: false };

const CHANGED: Refusal = {
  status: 409,
  message:
    'What you own has changed since you opened this page. Nothing was erased. Look at the list again, then confirm.',
};

export const erasePage: ConsoleRoute = {
  path: '/auth/account/erase',

  async get(visit) {
    const owned = await readOwned(visit);
    return 'body' in owned ? owned : showErasure(owned);
  },

  async post(visit) {
    const owned = await readOwned(visit);
    if ('body' in owned) return owned;
    const chosen = readChosen(owned, visit.form);
    if (readField(visit.form, 'seen') !== digestOf(owned)) return showErasure(owned, { chosen, refusal: CHANGED });
    const password = readField(visit.form, 'password') ?? '';
    if (password === '') return showErasure(owned, { chosen, errors: { password: 'Enter your password.' } });
    const keepPublic = chosen.isAll ? 'all' : [...chosen.ids];
    const body = { current_password: password, keep_public: keepPublic };
    const erased = await attempt(() => visit.visitor.call('eraseAccount', { body }));
    if (!(erased instanceof Error)) return new SeeOther(FAREWELL);
    // The form was sent twice, and the first one has erased the account.
    if (erased.code === 'NOT_FOUND') {
      visit.cookies.clear('session');
      return new SeeOther(FAREWELL);
    }
    return showRefused(await readOwned(visit), chosen, erased);
  },
};

/** Reads what the account owns; for a visitor without an account, returns the page that explains it. */
async function readOwned(visit: ConsoleVisit): Promise<Erasure | ConsolePage> {
  const owned = await attempt(() => visit.visitor.call('readErasure'));
  if (!(owned instanceof Error)) return owned;
  if (needsAccount(owned)) return renderForAccounts(visit, owned, PURPOSE);
  throw owned;
}

function showRefused(owned: Erasure | ConsolePage, chosen: Chosen, fault: Fault): ConsolePage {
  if ('body' in owned) return owned;
  const errors = toFieldErrors(fault, LABELS);
  return showErasure(owned, errors === null ? { chosen, refusal: toRefusal(fault) } : { chosen, errors });
}

interface Shown {
  readonly chosen?: Chosen;
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

function showErasure(owned: Erasure, { chosen = NOTHING_CHOSEN, errors = {}, refusal }: Shown = {}): ConsolePage {
  const page = {
    heading: `${PURPOSE.title}${owned.blocked_by.length > 0 ? '' : '?'}`,
    section: 'account',
    crumbs: [{ href: '/auth/account', label: 'Account' }],
    refusal,
    errors,
  } as const;
  const back = html`<p class="actions"><a class="button quiet" href="/auth/account">Back to the account</a></p>`;
  if (owned.blocked_by.length > 0) {
    const body = html`${renderBlocked(owned)}
${renderRemoved(owned)}
${renderMemberships(owned)}
${back}`;
    return renderFormPage({ ...page, body });
  }
  return renderFormPage({
    ...page,
    body: html`<p>Read what this removes before you confirm. <a href="/auth/account/export">Export your data</a> first if you need any of it later.</p>
${renderRemoved(owned)}
${renderMemberships(owned)}
<form method="post" action="/auth/account/erase" class="stack">
${renderKeepable(owned, chosen, errors)}
${renderConfirmation(owned.email, digestOf(owned), errors)}
</form>`,
  });
}

function readChosen({ public_forecasts: { items } }: Erasure, form: unknown): Chosen {
  const ids = items
    .slice(0, MAX_LISTED_ITEMS)
    .flatMap(({ id }) => (readField(form, keepField(id)) === 'on' ? [id] : []));
  return { ids: new Set(ids), isAll: readField(form, KEEP_ALL) === 'on' };
}

/**
 * Returns a digest of what the page lists, by which a form states what its sender has seen. A forecast that ends in the
 * meantime makes no difference.
 */
function digestOf({ unfinished_forecasts: _, ...owned }: Erasure): string {
  return createHash('sha256').update(JSON.stringify(owned)).digest('base64url');
}
