import { createHash } from 'node:crypto';

/**
 * The stylesheet of all pages. It is embedded in each page and allowed by its hash, so that a page needs only one request
 * and is complete even if a rate limit refuses further requests.
 *
 * Colors come in pairs for light and dark mode. The contrast ratio to the background is at least 4.5 for text and at
 * least 3 for the borders of fields; the browser tests check both.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #f4f3ef; --card: #ffffff; --ink: #1b2430; --soft: #556070; --line: #dcdad3; --edge: #7b8594;
  --accent: #1f4e8c; --accent-over: #173d6f; --on-accent: #ffffff; --focus: #b25600;
  --bad: #a32018; --bad-back: #fdf0ee; --good: #1d6136; --good-back: #edf6ef;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #11151b; --card: #1a2029; --ink: #e9ecf1; --soft: #a9b3c2; --line: #323b48; --edge: #7e8a9b;
    --accent: #9dc1f5; --accent-over: #bcd5f9; --on-accent: #0d1b2e; --focus: #f0a95c;
    --bad: #ffb4a8; --bad-back: #33201f; --good: #9bd7ae; --good-back: #1b2b22;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2.5rem 1rem 4rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
.brand { display: flex; align-items: center; justify-content: center; gap: .55rem; margin: -.5rem 0 1.25rem; font-weight: 650; font-size: 1.125rem; letter-spacing: .01em; }
.brand a { display: inline-flex; align-items: center; gap: .55rem; min-height: 2.75rem; color: inherit; text-decoration: none; }
.brand svg { color: var(--accent); }
main, footer { margin: 0 auto; max-width: 27rem; }
.wide main { max-width: 46rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem; }
.card + .card { margin-top: 1.25rem; }
.stack > * { margin: 0; }
.stack > * + * { margin-top: 1.25rem; }
.stack > .tight { margin-top: .5rem; }
.stack > [type=hidden] + * { margin-top: 0; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; }
h2 { margin: 0; font-size: 1.125rem; line-height: 1.35; }
p, ul, dl { margin: 0; }
ul.tight { margin-top: .5rem; }
.soft, .hint, dt { color: var(--soft); }
.hint, .small { font-size: .875rem; }
a { color: var(--accent); text-underline-offset: .2em; }
a:hover { color: var(--accent-over); text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
label, .label { display: block; font-weight: 600; margin-bottom: .35rem; }
.hint { margin-bottom: .35rem; }
input:not([type=hidden]), textarea {
  display: block; width: 100%; min-height: 2.875rem; padding: .5rem .75rem; font: inherit;
  color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 8px;
}
textarea { resize: vertical; font: .875rem/1.5 ui-monospace, monospace; }
input[readonly] { background: var(--back); }
input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.error { color: var(--bad); font-weight: 600; font-size: .9375rem; margin: .35rem 0 0; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.875rem; min-width: 2.875rem; padding: .5rem 1.125rem;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px;
}
button:hover, .button:hover { background: var(--accent-over); border-color: var(--accent-over); color: var(--on-accent); }
.quiet { color: var(--ink); background: transparent; border-color: var(--edge); }
.quiet:hover { color: var(--ink); background: var(--back); border-color: var(--ink); }
.whole { width: 100%; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.row-links { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.25rem; }
.row-links a, .tap { display: inline-flex; align-items: center; min-height: 2.75rem; }
.alert, .notice { border: 1px solid; border-left-width: 5px; border-radius: 8px; padding: .875rem 1rem; }
.alert { color: var(--bad); background: var(--bad-back); }
.alert h2, .alert h3 { margin: 0; font-size: 1rem; }
.alert ul { padding: 0; list-style: none; }
.alert li a { color: inherit; display: inline-flex; align-items: center; min-height: 2.75rem; }
.notice { color: var(--good); background: var(--good-back); font-weight: 600; }
.list { list-style: none; padding: 0; border-top: 1px solid var(--line); }
.list > li { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .875rem 0; border-bottom: 1px solid var(--line); }
.list > li:last-child { border-bottom: 0; padding-bottom: 0; }
.list form { flex: none; }
.ticks { padding-left: 1.25rem; }
.ticks li + li { margin-top: .35rem; }
dl > div + div { margin-top: .75rem; }
dd { margin: 0; }
.tag { display: inline-block; font-size: .8125rem; font-weight: 600; border: 1px solid currentColor; border-radius: 99px; padding: 0 .55rem; white-space: nowrap; }
.tag.good { color: var(--good); } .tag.bad { color: var(--bad); }
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 1rem; margin-bottom: 1.25rem; }
.head ~ .notice { margin-bottom: 1.25rem; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
footer { margin-top: 1.5rem; text-align: center; font-size: .875rem; color: var(--soft); }
@media (max-width: 30rem) {
  body { padding-top: 1.5rem; }
  .card { padding: 1.5rem 1.25rem; }
  .list > li { align-items: flex-start; flex-direction: column; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .button { transition: background-color .12s, border-color .12s; }
}
@media (forced-colors: active) { button, .button, .tag { border: 1px solid; } }
`;

/** The source expression of the stylesheet for the content security policy of a page. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
