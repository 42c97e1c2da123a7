import type { Account } from '../../../../access/index.ts';
import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderHint } from '../hints.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import { renderEmpty } from '../states.ts';
import { renderMeaning } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { askingRoute, renderEndingLink } from './change.ts';
import { hasApi } from './feed-link.ts';
import { forAccounts, partPath, renderPart } from './frame.ts';
import { type KeyChoice, readKeyChoice, renderKeyForm, toKeyRequest, USUAL_CHOICE } from './key-form.ts';
import { type Made, runOnce } from './once.ts';
import { renderPlanNote } from './plan-view.ts';
import { SCOPE_WORDS } from './scope-words.ts';
import { renderLastUsed, renderTime } from './times.ts';

const PATH = partPath('keys');

type Key = Output<Operations['listApiKeys']>['api_keys'][number];
type NewKey = Output<Operations['createApiKey']>;

const keysPage: ConsoleRoute = {
  path: PATH,
  get: forAccounts('keys', (visit, account) => showKeys(visit, account)),
  post: forAccounts('keys', async (visit, account) => {
    const choice = readKeyChoice(visit.form);
    if (choice.scopes.length === 0)
      return showKeys(visit, account, choice, { errors: { scopes: 'Choose at least one scope.' } });
    const form = `${account.credentialId} ${readField(visit.form, 'key') ?? ''}`;
    const body = toKeyRequest(choice, visit.now);
    const created = await attempt(() => runOnce(form, () => visit.visitor.call('createApiKey', { body })));
    if (!(created instanceof Fault))
      return 'first' in created ? showCreated(account, created.first) : showRepeated(visit, account, created.repeated);
    const errors = toFieldErrors(created, { name: 'Name', scopes: 'Scopes', expires_at: ['expires', 'Expiry'] });
    return showKeys(visit, account, choice, errors === null ? { refusal: toRefusal(created) } : { errors });
  }),
};

interface Failure {
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

async function showKeys(
  visit: ConsoleVisit,
  account: Account,
  choice: KeyChoice = USUAL_CHOICE,
  { errors = {}, refusal }: Failure = {},
): Promise<ConsolePage> {
  const { api_keys: keys } = await visit.visitor.call('listApiKeys');
  return renderPart({
    part: 'keys',
    account,
    lead: html`With an API key${renderMeaning('API key')} your programs use the API as you, within the scopes that you choose. <a href="/docs/">Read the documentation of the API</a>.`,
    errors,
    refusal,
    body: html`${hasApi(account) && renderHint(visit, 'account-keys', 'Make one key for each program. You can then revoke one without stopping the others, and the list shows which program still uses its key.')}
${keys.length === 0 ? renderNone() : renderKeys(keys)}
${!hasApi(account) && renderPlanNote('API keys work only with the Pro and Enterprise plans. You can make one now; it works once your plan includes them.')}
${renderKeyForm(PATH, choice, errors)}`,
  });
}

function renderNone(): Html {
  return renderEmpty({
    title: 'You have no API keys',
    text: html`Make the first one below. Its secret is shown once.`,
  });
}

function renderKeys(keys: readonly Key[]): Html {
  return html`<section class="card stack" aria-labelledby="keys-title">
<h2 id="keys-title">Your keys</h2>
<ul class="list">${keys.map((key) => {
    const { id, name, hint, created_at, expires_at, last_used_at, scopes } = key;
    return html`<li><div><p><strong>${name}</strong> <code class="small">${hint}…</code></p>
<p class="hint">Created ${renderTime(created_at)}, ${renderLastUsed(last_used_at)}, ${
      expires_at === null ? 'does not expire' : html`expires ${renderTime(expires_at)}`
    }</p>
<p class="hint">${nameScopes(scopes)}</p></div>
${renderEndingLink(partPath('keys', 'revoke'), id, 'Revoke', `Revoke the key ${name}`)}</li>`;
  })}</ul>
</section>`;
}

function nameScopes(scopes: Key['scopes']): string {
  if (scopes.length === Object.keys(SCOPE_WORDS).length) return 'All scopes';
  return scopes.map((scope) => SCOPE_WORDS[scope][0]).join(' · ');
}

/** Renders the secret of a new key, which no page shows again. */
function showCreated(account: Account, created: NewKey): ConsolePage {
  return renderPart({
    part: 'keys',
    account,
    heading: 'Your new API key',
    status: 201,
    lead: html`<strong>${created.name}</strong> is ${hasApi(account) ? 'ready' : 'made'}. Copy it now: it is not shown again.`,
    body: html`${!hasApi(account) && renderPlanNote('This key works once your plan is Pro or Enterprise.')}
<section class="card stack" aria-label="The key">
<pre class="secret" data-copy="the key" tabindex="0" role="region" aria-label="API key">${created.key}</pre>
<p class="hint">Send it with each request: <code>Authorization: Bearer …</code>. Everyone with the key can use your account within its scopes, so keep it out of code and of messages.</p>
<p class="hint">${nameScopes(created.scopes)}. ${
      created.expires_at === null ? 'It does not expire.' : html`It expires ${renderTime(created.expires_at)}.`
    }</p>
</section>
<p class="actions"><a class="button" href="${PATH}">I have copied it</a></p>`,
  });
}

/** Renders the response to a form that was sent again: the secret was in the first response, and is not kept. */
async function showRepeated({ visitor }: ConsoleVisit, account: Account, { id, name }: Made): Promise<ConsolePage> {
  const { api_keys: keys } = await visitor.call('listApiKeys');
  const isLive = keys.some((key) => key.id === id);
  return renderPart({
    part: 'keys',
    account,
    heading: 'This key was made before',
    lead: isLive
      ? html`This form has already made the key <strong>${name}</strong>. Its secret was shown once and is not kept.`
      : html`This form made the key <strong>${name}</strong>, which no longer works: it was revoked or has expired.`,
    body: html`${isLive && html`<p>If you have not copied it, revoke this key and make another one.</p>`}
<p class="actions"><a class="button" href="${PATH}">Go to your keys</a>
${isLive && renderEndingLink(partPath('keys', 'revoke'), id, 'Revoke it', `Revoke the key ${name ?? ''}`)}</p>`,
  });
}

export const KEY_PAGES: readonly ConsoleRoute[] = [
  keysPage,
  askingRoute({
    part: 'keys',
    action: 'revoke',
    ask: async ({ visitor }, id) => {
      const { api_keys: keys } = await visitor.call('listApiKeys');
      const key = keys.find((one) => one.id === id);
      if (key === undefined) return null;
      return {
        heading: `Revoke the key ${key.name}?`,
        body: html`<p><code>${key.hint}…</code>, created ${renderTime(key.created_at)}, ${renderLastUsed(key.last_used_at)}.</p>
<ul class="ticks"><li>Programs that use it are refused from now on. This cannot be undone.</li>
<li>Keys and feeds that were created with it stop working as well.</li>
<li>What was made with it, such as forecasts, stays.</li></ul>`,
        button: 'Revoke the key',
        keep: 'Keep it',
      };
    },
    end: ({ visitor }, id) => visitor.call('revokeApiKey', { params: { key_id: id } }),
    notice: 'key_revoked',
  }),
];
