import { type Html, html } from '../../html.ts';
import { withReturnTo } from '../../visit.ts';
import { renderGuestBanner } from '../actions/guest-banner.ts';
import type { ConsolePage } from '../document.ts';
import { renderEmpty, renderNote } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { FORECASTS_PATH, LIST_PARAMETERS, readGiven } from './list-address.ts';
import { readChoices, readList } from './read-list.ts';
import { showRecord } from './record-page.ts';
import { renderList } from './render-list.ts';

const RECORD = 'record';

/** The list of the visitor's forecasts and, as a second view, their track record. */
export const forecastsPage: ConsoleRoute = {
  path: FORECASTS_PATH,
  get: async (visit) => (visit.query.view === RECORD ? showRecordPage(visit) : showListPage(visit)),
};

async function showListPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { visitor, query, address, now } = visit;
  const { kind } = visitor.principal;
  const page = { title: 'My forecasts', section: 'forecasts', script: 'forecasts' } as const;
  if (kind === 'anonymous') return { ...page, body: html`${renderHead('list')}${renderUnknown(address)}` };
  const given = readGiven(query, LIST_PARAMETERS);
  const choices = await readChoices(visitor);
  const list = await readList(visitor, given, now);
  const isEmpty = list.forecasts.length === 0 && Object.keys(given).length === 0;
  return {
    ...page,
    status: list.status,
    failed: list.status !== 200,
    body: html`${renderHead('list')}
${kind === 'guest' && !isEmpty && renderGuestNote(address)}
${kind === 'account' && (await renderGuestBanner(visit))}
${renderList(list, choices, given)}`,
  };
}

async function showRecordPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const page = { title: 'Track record', section: 'forecasts', script: 'forecasts' } as const;
  if (visit.visitor.principal.kind !== 'account') {
    return { ...page, body: html`${renderHead('record')}${renderRecordNeedsAccount(visit)}` };
  }
  const { status, body } = await showRecord(visit);
  return { ...page, status, failed: status !== 200, body: html`${renderHead('record')}${body}` };
}

function renderHead(view: 'list' | typeof RECORD): Html {
  const tab = (id: string, href: string, label: string) =>
    html`<li><a href="${href}"${id === view && html` aria-current="page"`}>${label}</a></li>`;
  return html`<div class="page-head">
<div><h1>${view === 'list' ? 'My forecasts' : 'Track record'}</h1>
<p class="soft">${
    view === 'list'
      ? 'Every forecast with its state, its validation and what became of it.'
      : 'How good the forecasts were, measured on values that were unknown when they were made.'
  }</p></div>
<p class="actions"><a class="button" href="/new">New forecast</a></p>
</div>
<nav class="tabs" aria-label="Views of my forecasts"><ul>${tab('list', FORECASTS_PATH, 'Forecasts')}${tab(
    RECORD,
    `${FORECASTS_PATH}?view=${RECORD}`,
    'Track record',
  )}</ul></nav>`;
}

/** Explains the page to a visitor without an identity. Looking at it makes no guest session. */
function renderUnknown(address: string): Html {
  return renderEmpty({
    title: 'Your forecasts appear here',
    text: html`You have made none in this browser yet. You need no account to begin: search a series and forecast it, and this
page lists it. If you have an account, <a href="${withReturnTo('/auth/sign-in', address)}">sign in</a> to see its forecasts.`,
    steps: [
      { href: '/new', label: 'Make a forecast' },
      { href: '/search', label: 'Search series' },
    ],
  });
}

function renderGuestNote(address: string): Html {
  return renderNote(
    'info',
    html`Only this browser can open these forecasts, and they are deleted when your guest session ends, 30 days after it
began. To keep one, open it and save it to an account. <a href="${withReturnTo('/auth/sign-up', address)}">Create an account</a>`,
    'You are a guest',
  );
}

function renderRecordNeedsAccount({ visitor, address }: ConsoleVisit): Html {
  const isGuest = visitor.principal.kind === 'guest';
  return renderEmpty({
    title: 'A track record needs an account',
    text: `It adds up what became of forecasts over months, and ${
      isGuest ? 'the forecasts of a guest are deleted after 30 days' : 'this browser has no forecasts yet'
    }. The score of each single forecast is on its own page.`,
    steps: [
      { href: withReturnTo('/auth/sign-up', address), label: 'Create an account' },
      { href: withReturnTo('/auth/sign-in', address), label: 'Sign in' },
    ],
  });
}
