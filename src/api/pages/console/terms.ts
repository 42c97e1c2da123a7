import { randomBytes } from 'node:crypto';
import { type Html, html } from '../html.ts';

/**
 * What pages explain, in the words of the second table of docs/glossary.md; a test compares both. Other words of the
 * glossary are for programs and their authors.
 */
export const TERMS = {
  'API key':
    'A secret with which your programs use the API as you, within the scopes that you chose. It works until it expires or you revoke it.',
  application:
    'A program of another maker to which you gave access to your account, without giving it your password. You can take the access back at any time.',
  'audit window':
    'The last part of the history. It chose nothing, neither the weights nor the width of the fan, so its scores show what the forecast is worth.',
  'base rate':
    'The share of yes among the same questions. A forecaster should do better than giving this one probability to all of them.',
  'Brier score':
    'The squared distance between the probability and the outcome, 1 for yes and 0 for no. Lower is better: 0 is perfect, and one half for everything gets 0.25.',
  calibration:
    'Whether probabilities agree with what happens: of all things that were given 70%, about seven of ten should come true.',
  'content id': 'A number computed from every character of a document. Any change to the document gives another one.',
  credit: 'The unit in which work is counted: one model fitted once on up to 1,000 rows takes one credit.',
  cutoff: 'The last moment that a forecast knows about. It reads no row after it.',
  deadline: 'The time by which the outcome of a question is expected to be known.',
  delivery: 'An event that is sent to a webhook, with every attempt to send it and the replies.',
  dimension: 'One of the choices that select a series from a data set, such as the country or the unit.',
  fan: 'The picture of a forecast: a line for its median, and shaded intervals around it that widen with time.',
  feed: 'An address from which a spreadsheet reads a series or a forecast without signing in. Everyone with the address can read it.',
  filter:
    'Conditions on daily prices that you saved. After each session of the exchange, the symbols that meet them are listed.',
  fingerprint:
    'The versions of everything that computed a result. With the same versions, the same request gives the same digits.',
  fold: 'A rehearsal on the past: the models see the rows up to a date, forecast the next ones, and are scored on them.',
  frequency: 'The time between two rows of a series, such as a day or a month.',
  guest: 'You, without an account. What a guest makes stays for 30 days and opens only in this browser.',
  horizon: 'How many periods ahead a forecast reaches.',
  interval: 'A range between two quantiles. If a forecast is right, its 80% interval holds eight of ten outcomes.',
  invitation:
    'An offer, sent to an email address, to become a member of a workspace. Nothing is shared until it is accepted.',
  ledger: 'The record of all credits, in which every entry has a counterpart, so that none can be lost or made up.',
  'log score':
    'How surprising the outcome was, given the probability. Lower is better: one half gets 0.69, and a confident error gets much more.',
  match: 'A symbol that meets the conditions of a filter in a session.',
  median: 'The middle of a forecast: the outcome is as likely above it as below it.',
  member: 'An account that takes part in a workspace, with a role and a resource scope.',
  metric: 'A number that is computed from the daily prices of a symbol, such as its average of 200 sessions.',
  model: 'A method of forecasting. A forecast lets several compete and weights them by how well they did on the past.',
  plan: 'Free, Pro or Enterprise: how much an account can use in a month and at one time.',
  proof:
    'A document with everything that a forecast stated, and when. Anyone can check later that nothing was changed.',
  provider: 'The service or the bundled data that a series comes from.',
  quantile:
    'A value below which the outcome falls with a stated probability: below the 90% quantile in nine of ten cases.',
  question:
    'Something that will turn out to be true or false, with the probability that it is true. The API calls it an event.',
  receipt: 'The evidence that a proof was stamped: when, and where on the chain anyone can find it.',
  receiver: 'The program behind the URL of a webhook, which gets the events and replies to them.',
  replay:
    'A forecast made as if it were an earlier day, which is compared with what came. A delivery that is replayed is sent again.',
  resolution: 'The outcome of a question, yes or no, with the source that states it.',
  'resolution rule':
    'A condition on a series, such as “above 100 in March”, by which the service resolves a question when the row is there.',
  'resource scope':
    'Which files and forecasts of a workspace a member can use: all of them, those that were picked, or none.',
  revision: 'A later probability for the same question. Earlier ones stay, so that the history can be judged.',
  role: 'What a member may do: an owner manages the workspace, an editor adds and changes things, a viewer reads.',
  scope: 'One kind of access that a key or an application has, such as reading forecasts.',
  series: 'Values in the order of time, such as a price for each day.',
  session: 'Of an exchange: one trading day. Of a browser: the time from a sign-in to its end.',
  slot: 'The right to have one forecast waiting or running. It is free again when the forecast ends.',
  snapshot:
    'The exact rows that a forecast read, frozen, so that it can be repeated even if the provider corrects them.',
  source: 'Where a series comes from: a market, a statistical office, a table, or a file of yours.',
  stamp: 'A record on a public chain that a proof existed at that time. No one can backdate it, not even this service.',
  symbol: 'The short name of something traded, such as AAPL.',
  tenth:
    'One of ten equally probable parts of a forecast. If forecasts are right, a tenth of the outcomes falls in each.',
  threshold: 'The value with which a question compares: will the series be above it or below it?',
  'track record': 'The scores of all your forecasts whose outcome is known, added up.',
  transfer: 'Giving a workspace to another member. It takes effect when that member accepts.',
  vintage: 'The values of a series as they were published on a date, before they were revised.',
  visibility: 'Which readers see a forecast: only you, the members of its workspace, or anyone with its address.',
  webhook: 'A URL of a program of yours, to which the service sends events, such as the completion of a forecast.',
  weight:
    'The share that a model has in a forecast. It starts from what did well on other series and moves with the tests on the past.',
  workspace: 'A space for files and forecasts that you can share with others, each with a role.',
} as const;

export type Term = keyof typeof TERMS;

/**
 * Renders a word with a button that opens its meaning, for table heads, facts and sentences. A button is not allowed within
 * a label, a link, a summary or another button: fields have `term` for it, and `renderMeaning` stands beside a heading.
 *
 * @param label how the page writes the word, if not as in the glossary
 */
export function renderTerm(term: Term, label: string | Html = term): Html {
  return html`<span class="term">${label}${renderMeaning(term)}</span>`;
}

/** Renders only the button that opens the meaning of a word, and the meaning. Neither needs a script. */
export function renderMeaning(term: Term): Html {
  // A page can explain a word in several places, and scripts add parts of other pages, so a number would not be unique.
  const id = `meaning-${randomBytes(5).toString('hex')}`;
  return html`<span class="ask"><button type="button" popovertarget="${id}" aria-label="${term}: what is this?"><span aria-hidden="true">?</span></button><span class="meaning" id="${id}" popover><strong>${capitalize(term)}</strong> ${TERMS[term]} <a href="/glossary#${anchorOf(term)}">All words</a></span></span>`;
}

/** Returns the place of a word on the page of all words. */
export function anchorOf(term: Term): string {
  return term.toLowerCase().replaceAll(' ', '-');
}

/** Returns a word as the beginning of a sentence. */
export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
