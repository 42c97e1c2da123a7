import { type Html, html } from '../../html.ts';
import { QUESTIONS_PATH, SCOREBOARD_PATH } from './words.ts';

const VIEWS = {
  list: [
    QUESTIONS_PATH,
    'Questions',
    'A question is answered by yes or no on a day to come. Each has a probability, which is scored when the answer is known.',
  ],
  scoreboard: [
    SCOREBOARD_PATH,
    'Scoreboard',
    'How good the probabilities were: of the questions that were given 70%, did about seven of ten come true?',
  ],
} as const;

/** Renders the head that the list of questions and the scoreboard share. @param canAsk whether the visitor may ask */
export function renderHead(view: keyof typeof VIEWS, canAsk: boolean): Html {
  const [, title, text] = VIEWS[view];
  return html`<div class="page-head">
<div><h1>${title}</h1>
<p class="soft">${text}</p></div>
${canAsk && html`<p class="actions"><a class="button" href="${QUESTIONS_PATH}/new">Ask a question</a></p>`}
</div>
<nav class="tabs" aria-label="Views of questions"><ul>${Object.entries(VIEWS).map(
    ([id, [href, label]]) => html`<li><a href="${href}"${id === view && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`;
}
