import { type Html, html } from '../../html.ts';
import { type Entered, type EnteredCondition, NEW_CONDITION, NEW_FILTER, toParams } from './entered.ts';

const condition = (field: string, op: string, given: Partial<EnteredCondition>): EnteredCondition => ({
  ...NEW_CONDITION,
  field,
  op,
  ...given,
});

/** Filters to begin with. */
const EXAMPLES: readonly (Pick<Entered, 'name' | 'conditions'> & { readonly about: string })[] = [
  {
    name: 'Oversold',
    about: 'Prices that fell fast and far.',
    conditions: [condition('rsi_14', 'lt', { value: '30' })],
  },
  {
    name: 'Crossing its average',
    about: 'The close has just risen above its mean of 50 sessions.',
    conditions: [condition('close', 'crosses_above', { other: 'sma_50' })],
  },
  {
    name: 'Near its high',
    about: 'At most 2% below the highest price of a year, and above the mean of 200 sessions.',
    conditions: [
      condition('pct_from_52w_high', 'gte', { value: '-2' }),
      condition('close', 'gt', { other: 'sma_200' }),
    ],
  },
  {
    name: 'Unusual volume',
    about: 'More than twice the usual volume, and a change of more than 3%.',
    conditions: [condition('rel_volume', 'gt', { value: '2' }), condition('change_pct', 'gt', { value: '3' })],
  },
];

/** Renders filters to begin with. Each is an address of the form. */
export function renderExamples(): Html {
  return html`<section class="stack" aria-labelledby="examples"><h2 id="examples">Begin with an example</h2>
<ul class="grid two examples">${EXAMPLES.map(
    ({ name, about, conditions }) => html`
<li class="card link"><h3><a class="cover" href="/screener/new?${toParams({ ...NEW_FILTER, name, conditions }).toString()}">${name}</a></h3><p class="soft small">${about}</p></li>`,
  )}
</ul></section>`;
}
