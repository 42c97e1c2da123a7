import { html } from '../../html.ts';
import { renderCrumbs } from '../form-page.ts';
import { attempt } from '../refusals.ts';
import type { ConsoleRoute } from '../visit.ts';
import { needsAccount, renderForAccounts } from './for-accounts.ts';
import { formatOwned, joinWords, KIND_NAMES } from './owned-words.ts';

const PURPOSE = {
  title: 'Export your data',
  text: 'Download everything that your account owns as one archive.',
};

const CONTENTS: readonly (readonly [name: string, text: string])[] = [
  ['Forecasts', 'each with its result, the rows that it read, its proof and its outcome'],
  ['Questions', 'each with all its revisions, its history, its resolution and its proof'],
  [
    'Workspaces',
    'your role in each; of your own also the members and every file as CSV. A file is written as it was read, with commas and without the lines above and below its table, not as it was uploaded',
  ],
  ['Screener', 'your filters, what they matched in each session, and the emails about it'],
  ['Account', 'your address, plan and usage, and the sign-ins and changes of the last 400 days'],
  ['Access', 'API keys, feeds, webhooks, browsers and applications, without their secrets'],
];

export const exportPage: ConsoleRoute = {
  path: '/auth/account/export',

  async get(visit) {
    const owned = await attempt(() => visit.visitor.call('readErasure'));
    if (owned instanceof Error) {
      if (needsAccount(owned)) return renderForAccounts(visit, owned, PURPOSE);
      throw owned;
    }
    const counts = KIND_NAMES.filter((kind) => owned.removed[kind].total > 0);
    const summary = joinWords(counts.map((kind) => formatOwned(kind, owned.removed[kind].total)));
    return {
      title: PURPOSE.title,
      section: 'account',
      body: html`${renderCrumbs([{ href: '/auth/account', label: 'Account' }])}
<div class="card stack action-page">
<h1>${PURPOSE.title}</h1>
<p>${PURPOSE.text} ${summary !== '' && html`You own ${summary}.`}</p>
<ul class="ticks">${CONTENTS.map(
        ([name, text]) => html`<li><strong>${name}</strong>: ${text}</li>
`,
      )}</ul>
<p class="soft">The archive is a ZIP file with JSON and CSV files and a text that explains them. It is written while you download it, which takes minutes if you own many large forecasts. It contains your private data, so keep it in a safe place.</p>
<p class="actions"><a class="button" href="/auth/account/export/download" download>Download the archive</a>
<a class="button quiet" href="/auth/account">Back to the account</a></p>
</div>`,
    };
  },
};

export const exportDownload: ConsoleRoute = {
  path: '/auth/account/export/download',
  get: ({ visitor }) => visitor.callForFile('exportAccount'),
};
