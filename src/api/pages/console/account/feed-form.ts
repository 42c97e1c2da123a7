import { randomUUID } from 'node:crypto';
import type { Account } from '../../../../access/index.ts';
import { Fault, type Operations, type Output, type PublicReference } from '../../../../contract/index.ts';
import { type FieldErrors, hidden, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderSelect, renderText } from '../fields.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import { readChoices } from '../series/page-choices.ts';
import { rowsRequest } from '../series/read-rows.ts';
import { readSource, sourceParams } from '../source-address.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { hasApi, NEW_FEED_PATH } from './feed-link.ts';
import { forAccounts, partPath, renderPart } from './frame.ts';
import { type Made, runOnce } from './once.ts';
import { renderPlanNote } from './plan-view.ts';

const PATH = NEW_FEED_PATH;
const HEADING = 'Make a feed';

/** What a feed will contain, as the address or the form names it. */
interface Subject {
  readonly text: string;
  /** The fields that name it in the form. */
  readonly fields: URLSearchParams;
  readonly choice: object;
}

export const newFeedPage: ConsoleRoute = {
  path: PATH,

  get: forAccounts('feeds', async (visit, account) => {
    if (!hasApi(account)) return showRefused(account);
    const subject = await readSubject(visit, visit.query);
    return subject === null ? showChoosing(visit, account) : showForm(account, subject);
  }),

  post: forAccounts('feeds', async (visit, account) => {
    if (!hasApi(account)) return showRefused(account);
    const fields = (visit.form ?? {}) as Record<string, unknown>;
    const subject = await readSubject(visit, fields);
    if (subject === null) return showChoosing(visit, account);
    const name = (readField(fields, 'name') ?? '').trim();
    const form = `${account.credentialId} ${readField(fields, 'key') ?? ''}`;
    const body = { ...subject.choice, ...(name !== '' && { name }) };
    const made = await attempt(() => runOnce(form, () => visit.visitor.call('createFeed', { body })));
    if (!(made instanceof Fault))
      return 'first' in made ? showMade(account, made.first) : showRepeated(visit, account, made.repeated);
    const errors = toFieldErrors(made, { name: 'Name' });
    return showForm(account, subject, { name, ...(errors === null ? { refusal: toRefusal(made) } : { errors }) });
  }),
};

async function readSubject(
  { visitor }: ConsoleVisit,
  fields: Readonly<Record<string, unknown>>,
): Promise<Subject | null> {
  const forecastId = readField(fields, 'forecast') ?? '';
  if (forecastId !== '') {
    const forecast = await visitor.call('readForecast', { params: { forecast_id: forecastId } });
    return {
      text: `The predictions of ${forecast.name}`,
      fields: new URLSearchParams({ forecast: forecast.slug }),
      choice: { kind: 'forecast', request: { forecast_id: forecast.forecast_id } },
    };
  }
  const source = readSource(fields) as PublicReference | null;
  if (source === null) return null;
  const { title } = await visitor.call('describeSeries', { body: { source } });
  const isMarket = source.type === 'market';
  const choices = readChoices(fields, isMarket);
  // A feed always has the latest rows, so neither a range nor a snapshot is a part of it.
  const request = rowsRequest(source, { ...choices, from: null, to: null, snapshot: null });
  const params = sourceParams(source);
  if (choices.texts.limit !== '') params.set('limit', choices.texts.limit);
  return {
    text: isMarket ? `Bars of ${title} (${source.symbol}, ${source.timeframe})` : title,
    fields: params,
    choice: { kind: isMarket ? 'history' : 'observations', request },
  };
}

function showRefused(account: Account): ConsolePage {
  return renderPart({
    part: 'feeds',
    account,
    heading: HEADING,
    status: 403,
    body: renderPlanNote('Feeds work only with the Pro and Enterprise plans.'),
  });
}

const OFFERED = 50;

/** Renders what a feed can be made from. */
async function showChoosing({ visitor }: ConsoleVisit, account: Account): Promise<ConsolePage> {
  const { forecasts } = await visitor.call('listForecasts', { query: { status: 'completed', limit: OFFERED } });
  const options = forecasts.map(({ slug, name }) => ({ value: slug, label: name }));
  return renderPart({
    part: 'feeds',
    account,
    heading: HEADING,
    lead: 'A feed repeats one request: the rows of a series, or the predictions of a forecast.',
    body: html`<section class="card stack" aria-labelledby="of-series">
<h2 id="of-series">Of a series</h2>
<p>Open the page of the series and press “Feed for spreadsheets” there.</p>
<p class="actions"><a class="button quiet" href="/search">Search for a series</a></p>
</section>
<section class="card stack" aria-labelledby="of-forecast">
<h2 id="of-forecast">Of a forecast</h2>
${
  options.length === 0
    ? renderEmpty({
        title: 'You have no completed forecast',
        text: 'A feed returns the predictions of a forecast that is complete.',
        steps: [{ href: '/new', label: 'Make a forecast' }],
        level: 3,
      })
    : html`<form method="get" action="${PATH}" class="stack">
${renderSelect({ name: 'forecast', label: 'Forecast', options, value: undefined, ...(forecasts.length === OFFERED && { hint: `The latest ${OFFERED}. Older ones have the link on their page.` }) }, {})}
<p class="actions"><button class="quiet">Continue</button></p>
</form>`
}
</section>`,
  });
}

interface Attempt {
  readonly name?: string;
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

function showForm(account: Account, subject: Subject, { name = '', errors = {}, refusal }: Attempt = {}): ConsolePage {
  return renderPart({
    part: 'feeds',
    account,
    heading: HEADING,
    lead: html`<strong>${subject.text}</strong>, as CSV, at an address of its own.`,
    errors,
    refusal,
    body: html`<form method="post" action="${PATH}" class="card stack narrow">
${[...subject.fields].map(([field, value]) => hidden(field, value))}${hidden('key', randomUUID())}
${renderText({ name: 'name', label: 'Name', hint: 'By which you recognize it, such as the spreadsheet. Optional.', value: name, maxlength: 100 }, errors)}
<p class="hint">Everyone with the address can read the feed, without signing in. Each read counts as two requests of yours.</p>
<p class="actions"><button>Make the feed</button><a class="button quiet" href="${partPath('feeds')}">Cancel</a></p>
</form>`,
  });
}

/** Renders the address of a new feed, which no page shows again. */
function showMade(account: Account, feed: Output<Operations['createFeed']>): ConsolePage {
  return renderPart({
    part: 'feeds',
    account,
    heading: 'Your new feed',
    status: 201,
    lead: 'Copy its address now: it is not shown again.',
    body: html`<section class="card stack" aria-label="The address">
<pre class="secret" data-copy="the address" tabindex="0" role="region" aria-label="Address of the feed">${feed.url}</pre>
<p class="hint">In Google Sheets: <code>=IMPORTDATA("the address")</code>. In Excel: Data, From Web.</p>
</section>
<p class="actions"><a class="button" href="${partPath('feeds')}">I have copied it</a></p>`,
  });
}

/** Renders the response to a form that was sent again: the address was in the first response, and is not kept. */
async function showRepeated({ visitor }: ConsoleVisit, account: Account, { id, name }: Made): Promise<ConsolePage> {
  const { feeds } = await visitor.call('listFeeds');
  const isLive = feeds.some((feed) => feed.id === id);
  return renderPart({
    part: 'feeds',
    account,
    heading: 'This feed was made before',
    lead: isLive
      ? html`This form has already made ${name === null ? 'a feed without a name' : html`the feed <strong>${name}</strong>`}. Its address was shown once and is not kept.`
      : html`This form made ${name === null ? 'a feed without a name' : html`the feed <strong>${name}</strong>`}, which was deleted since.`,
    body: html`${isLive && html`<p>If you have not copied the address, delete this feed and make another one.</p>`}
<p class="actions"><a class="button" href="${partPath('feeds')}">Go to your feeds</a></p>`,
  });
}
