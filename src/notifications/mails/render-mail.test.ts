import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MailedType } from '../tables.ts';
import type { MailContent, MailLine } from './read-content.ts';
import { renderMail } from './render-mail.ts';

const [SITE, UNSUBSCRIBE] = ['https://almanac.example', 'https://almanac.example/notifications/unsubscribe?token=a.b'];

function line(fields: Partial<MailLine> = {}): MailLine {
  return {
    type: 'forecast.completed',
    slug: 'rates-1',
    title: 'Rates',
    series: 'AAPL, 3 days',
    reason: null,
    ...fields,
  };
}

function render(lines: readonly MailLine[], more: Partial<MailContent['counts']> = {}) {
  const count = (type: MailedType) => lines.filter((one) => one.type === type).length;
  const counts = {
    'forecast.completed': count('forecast.completed'),
    'forecast.failed': count('forecast.failed'),
    'forecast.outcome': count('forecast.outcome'),
    ...more,
  };
  const mail = renderMail({ to: 'a@mail.example', siteUrl: SITE, unsubscribe: UNSUBSCRIBE, lines, counts });
  return { ...mail, html: mail.html ?? '' };
}

const [completed, failed, outcome] = [line(), line({ type: 'forecast.failed' }), line({ type: 'forecast.outcome' })];

test('the subject names a sole forecast and counts several', () => {
  for (const [lines, subject] of [
    [[completed], 'Your forecast "Rates" is ready'],
    [[failed], 'Your forecast "Rates" failed'],
    [[outcome], 'The outcome of your forecast "Rates" is complete'],
    [[line({ title: null })], 'Your forecast "AAPL, 3 days" is ready'],
    [[completed, completed], '2 forecasts are ready'],
    [[completed, failed], '1 forecast is ready, 1 failed'],
    [[failed, failed], '2 forecasts failed'],
    [[failed, outcome], '1 forecast failed, 1 outcome is complete'],
    [[outcome, outcome], '2 outcomes are complete'],
    [
      [completed, completed, completed, failed, failed, outcome, outcome],
      '3 forecasts are ready, 2 failed, 2 outcomes are complete',
    ],
  ] as const) {
    const mail = render(lines);
    assert.equal(mail.subject, subject);
    assert.ok(mail.text.startsWith(`${subject}.\n`), 'the text begins with the subject');
  }
  assert.equal(render([completed], { 'forecast.completed': 12_345 }).subject, '12,345 forecasts are ready');
});

test('text and HTML list what happened, with a link to each forecast', () => {
  const reason = 'No model could be fitted to a/b?.';
  const mail = render([completed, { ...failed, reason, slug: 'a/b?' }, { ...failed, slug: 'c' }, outcome]);
  assert.equal(
    mail.text,
    `1 forecast is ready, 2 failed, 1 outcome is complete.

"Rates" has completed.
${SITE}/forecasts/rates-1

"Rates" failed: ${reason}
${SITE}/forecasts/a%2Fb%3F

"Rates" failed.
${SITE}/forecasts/c

The outcome of "Rates" is complete.
${SITE}/forecasts/rates-1

You receive this email because emails about forecasts are turned on in your account at ${SITE}. We send at most one in 10 minutes. To unsubscribe, open

${UNSUBSCRIBE}
`,
  );
  const items = mail.html.match(/<li>.*<\/li>/g);
  assert.deepEqual(items, [
    `<li><a href="${SITE}/forecasts/rates-1">&quot;Rates&quot;</a> has completed.</li>`,
    `<li><a href="${SITE}/forecasts/a%2Fb%3F">&quot;Rates&quot;</a> failed: ${reason}</li>`,
    `<li><a href="${SITE}/forecasts/c">&quot;Rates&quot;</a> failed.</li>`,
    `<li>The outcome of <a href="${SITE}/forecasts/rates-1">&quot;Rates&quot;</a> is complete.</li>`,
  ]);
  assert.ok(mail.html.includes(`<a href="${UNSUBSCRIBE}">Unsubscribe</a>`));
  assert.doesNotMatch(mail.text + mail.html, /more/);
  assert.deepEqual(mail.headers, {
    'List-Unsubscribe': `<${UNSUBSCRIBE}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});

test('states how many events are not listed', () => {
  const mail = render([completed, failed], { 'forecast.completed': 1_501 });
  assert.ok(mail.text.includes(`\n\nand 1,500 more:\n${SITE}/forecasts\n\n`));
  assert.ok(mail.html.includes(`<p><a href="${SITE}/forecasts">and 1,500 more</a></p>`));
});

test('a title cannot add lines, links, markup or invisible characters', () => {
  for (const [title, name] of [
    ['Rates\r\nBcc: b@c.example\u2028next', '"AAPL, 3 days"'],
    ['one\r\ntwo\u2028three\u0085four', '"one two three four"'],
    ['say "now" “then” «ever»', `"say 'now' 'then' 'ever'"`],
    ['<b>bold</b> & <script>x</script>', '"<b>bold</b> & <script>x</script>"'],
    ['\u202edetrevni\u202c \u2066x\u2069 zero\u200bwidth\ufeff', '"detrevni x zerowidth"'],
    ['\u200b\u202e ', '"AAPL, 3 days"'],
    ['תחזית ריבית', '"תחזית ריבית"'],
    ['Pay at https://evil.example/x', '"AAPL, 3 days"'],
    ['www.evil', '"AAPL, 3 days"'],
    ['evil\u200b.example', '"AAPL, 3 days"'],
    ['evil。example', '"AAPL, 3 days"'],
    ['192.0.2.1', '"AAPL, 3 days"'],
  ] as const) {
    const mail = render([line({ title })]);
    assert.equal(mail.subject, `Your forecast ${name} is ready`);
    assert.ok(mail.text.includes(`\n${name} has completed.\n${SITE}/forecasts/rates-1\n`), mail.text);
    assert.deepEqual(mail.text.match(/https?:\S+/g), [`${SITE}/forecasts/rates-1`, `${SITE}.`, UNSUBSCRIBE]);
    const escaped = name
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    assert.ok(mail.html.includes(`>${escaped}</a> has completed.`), mail.html);
    assert.ok(mail.html.includes(`<title>Your forecast ${escaped} is ready</title>`), mail.html);
  }
});

test('names of series and reasons cannot become links', () => {
  const mail = render([
    line({ title: null, series: 'price of evil.example' }),
    line({ type: 'forecast.failed', reason: 'Read http://evil.example/a first.\nThen <b>retry</b>.' }),
  ]);
  assert.ok(mail.text.includes('"price of evil. example" has completed.'), mail.text);
  assert.ok(mail.text.includes('"Rates" failed: Read http: //evil. example/a first. Then <b>retry</b>.\n'), mail.text);
  assert.doesNotMatch(mail.html, /<b>|http:\/\/evil/);
});
