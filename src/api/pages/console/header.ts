import { isAdministrator, type Principal } from '../../../access/index.ts';
import { type Html, html, MARK } from '../html.ts';
import { withReturnTo } from '../visit.ts';

/** The parts of the console, in the order of the navigation. */
const SECTIONS = {
  search: ['/search', 'Search'],
  new: ['/new', 'New forecast'],
  forecasts: ['/forecasts', 'My forecasts'],
  questions: ['/questions', 'Questions'],
  screener: ['/screener', 'Screener'],
  workspaces: ['/workspaces', 'Workspaces'],
} as const;

const ADMINISTRATION = ['/admin', 'Administration'] as const;

/** The account stands beside the sections, and only administrators see the administration. */
export type Section = keyof typeof SECTIONS | 'account' | 'admin';

interface Header {
  readonly principal: Principal;
  /** The path and query of the page, at which to continue after a sign-in. */
  readonly address: string;
  readonly section: Section | undefined;
  /** The text of the search field; null without one. */
  readonly query: string | null;
}

/**
 * Renders the header of a page. In a narrow window the sections are a menu that a button opens: a popover, which needs no
 * script and closes with Escape. In a wide window the styles show the same list as a row, and no button.
 */
export function renderHeader({ principal, address, section, query }: Header): Html {
  const sections: readonly (readonly [string, readonly [string, string]])[] = [
    ...Object.entries(SECTIONS),
    ...(isAdministrator(principal) ? [['admin', ADMINISTRATION] as const] : []),
  ];
  return html`<header class="site"><div class="bar">
<a class="home" href="/">${MARK}<span>Almanac</span></a>
${query !== null && renderSearch(query)}
<nav aria-label="Main">
<a class="quick" href="/search"${current(section === 'search')}>Search</a>
<button type="button" class="menu-button" popovertarget="menu">Menu</button>
<ul id="menu" class="menu" popover>${sections.map(
    ([id, [href, label]]) => html`<li><a href="${href}"${current(id === section)}>${label}</a></li>`,
  )}</ul>
${renderAccount(principal, address, section === 'account')}
</nav>
</div></header>`;
}

function current(isCurrent: boolean): Html | false {
  return isCurrent && html` aria-current="page"`;
}

function renderSearch(query: string): Html {
  return html`<form class="find" role="search" method="get" action="/search">
<label class="away" for="find">Search markets and series</label>
<input id="find" name="q" type="search" autocomplete="off" maxlength="500" placeholder="Search markets and series" value="${query}" data-search>
</form>`;
}

function renderAccount(principal: Principal, address: string, isCurrent: boolean): Html {
  return principal.kind === 'account'
    ? html`<a class="account" href="/auth/account" title="${principal.email}"${current(isCurrent)}>Account</a>`
    : html`<a class="account" href="${withReturnTo('/auth/sign-in', address)}">Sign in</a>`;
}
