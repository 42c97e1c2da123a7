import type { Account } from '../../../../access/index.ts';
import { formatCount } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderHint } from '../hints.ts';
import { renderEmpty } from '../states.ts';
import { renderMeaning } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { askingRoute, renderEndingLink } from './change.ts';
import { describeFeed, type Feed } from './describe-feed.ts';
import { newFeedPage } from './feed-form.ts';
import { hasApi, NEW_FEED_PATH } from './feed-link.ts';
import { forAccounts, partPath, renderPart } from './frame.ts';
import { renderPlanNote } from './plan-view.ts';
import { renderLastUsed, renderTime } from './times.ts';

const MAX_FEEDS = 50;

const feedsPage: ConsoleRoute = { path: partPath('feeds'), get: forAccounts('feeds', showFeeds) };

async function showFeeds(visit: ConsoleVisit, account: Account): Promise<ConsolePage> {
  const { feeds } = await visit.visitor.call('listFeeds');
  const canMake = hasApi(account);
  return renderPart({
    part: 'feeds',
    account,
    lead: html`A feed${renderMeaning('feed')} is an address from which a spreadsheet or a dashboard reads CSV. It always has the latest rows.`,
    body: html`${
      canMake &&
      renderHint(
        visit,
        'account-feeds',
        html`In a spreadsheet, <code>=IMPORTDATA("…")</code> or “Data from the web” reads the address of a feed.`,
      )
    }
${!canMake && renderPlanNote('Feeds work only with the Pro and Enterprise plans.')}
${feeds.length === 0 ? canMake && renderNone() : renderFeeds(feeds)}
${
  canMake &&
  feeds.length > 0 &&
  feeds.length < MAX_FEEDS &&
  html`<p class="actions"><a class="button" href="${NEW_FEED_PATH}">Make a feed</a></p>`
}
${feeds.length >= MAX_FEEDS && html`<p>You have ${formatCount(MAX_FEEDS, 'feed')}, the most that an account can have. Delete one to make another.</p>`}`,
  });
}

function renderNone(): Html {
  return renderEmpty({
    title: 'You have no feeds',
    text: 'Make one from a forecast, or from the page of any series.',
    steps: [
      { href: NEW_FEED_PATH, label: 'Make a feed' },
      { href: '/search', label: 'Search for a series' },
    ],
  });
}

function renderFeeds(feeds: readonly Feed[]): Html {
  return html`<section class="card stack" aria-label="Your feeds">
<ul class="list">${feeds.map((feed) => {
    const { text, href } = describeFeed(feed);
    const name = feed.name ?? text;
    return html`<li><div><p><strong>${name}</strong></p>
<p><a class="tap" href="${href}">${text}</a></p>
<p class="hint">Created ${renderTime(feed.created_at)}, ${renderLastUsed(feed.last_read_at, 'read')}</p></div>
${renderEndingLink(partPath('feeds', 'delete'), feed.id, 'Delete', `Delete the feed ${name}`)}</li>`;
  })}</ul>
<p class="hint">The address of a feed is shown only when it is made. If you lost it, make another feed and delete the old one.</p>
</section>`;
}

export const FEED_PAGES: readonly ConsoleRoute[] = [
  feedsPage,
  newFeedPage,
  askingRoute({
    part: 'feeds',
    action: 'delete',
    ask: async ({ visitor }, id) => {
      const { feeds } = await visitor.call('listFeeds');
      const feed = feeds.find((one) => one.id === id);
      if (feed === undefined) return null;
      const { text } = describeFeed(feed);
      return {
        heading: `Delete the feed ${feed.name ?? text}?`,
        body: html`<p>${text}, created ${renderTime(feed.created_at)}, ${renderLastUsed(feed.last_read_at, 'read')}.</p>
<ul class="ticks"><li>Its address stops working, and what reads it shows an error.</li>
<li>The series or the forecast itself stays.</li></ul>`,
        button: 'Delete the feed',
        keep: 'Keep it',
      };
    },
    end: ({ visitor }, id) => visitor.call('deleteFeed', { params: { feed: id } }),
    notice: 'feed_deleted',
  }),
];
