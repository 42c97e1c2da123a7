import type { Operations, Output } from '../../../../contract/index.ts';
import { formatInteger } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { type Option, renderCheck, renderError, renderSelect, renderText } from '../fields.ts';
import { type Choices, MODEL, WEIGHT } from './choices.ts';

export type Models = Output<Operations['listModels']>;
type Model = Models['models'][number];

/** What each model is good at. */
const STRENGTHS: Readonly<Record<string, string>> = {
  prophet: 'Trend and seasons with changes of pace.',
  toto: 'A network that was trained on many other series.',
  ets: 'Smooths level, trend and season.',
  theta: 'Follows the long trend; hard to beat on short series.',
  arima: 'Learns how each value depends on earlier ones.',
  seasonal_naive: 'Repeats the last season, for comparison.',
  intermittent: 'Forecasts whether there is a demand, and how large; for series with many zeros.',
  mstl: 'A pattern for each season, such as the day and the week.',
};

interface AdvancedOptions {
  readonly choices: Choices;
  readonly errors: FieldErrors;
  readonly models: Models;
  readonly hasVintages: boolean;
}

/** The fields below the fold. It is open if one of them was set or refused. */
const ADVANCED = [
  'quantiles',
  'weights',
  'models',
  'weighting_policy',
  'transform',
  'cutoff',
  'as_known_at_cutoff',
  'limit',
  'seed',
  'settle_days',
];

/** Renders the fields that most forecasts do not need. */
export function renderAdvanced(options: AdvancedOptions): Html {
  const { choices, errors } = options;
  const isOpen = isChanged(options) || ADVANCED.some((name) => errors[name] !== undefined);
  return html`<details class="card advanced"${isOpen && html` open`}>
<summary>Advanced: models, quantiles, weights, cutoff</summary>
<div class="stack">
${renderModels(options)}
${renderWeights(options)}
<fieldset class="stack"><legend>Result</legend><div class="fields">
${renderText({ name: 'quantiles', label: 'Quantiles', term: 'quantile', hint: `Levels of the fan, from ${options.models.quantiles.min} to ${options.models.quantiles.max}, at most ${options.models.quantiles.max_count}.`, value: choices.fields.quantiles, placeholder: '0.1, 0.25, 0.5, 0.75, 0.9' }, errors)}
${renderSelect({ name: 'transform', label: 'Transform', hint: 'Forecasting logarithms suits values that grow by percentages.', value: choices.fields.transform ?? 'auto', options: TRANSFORMS }, errors)}
${renderText({ name: 'seed', label: 'Seed', hint: 'The same seed gives the same digits again.', value: choices.fields.seed, placeholder: '1', type: 'number' }, errors)}
</div></fieldset>
<fieldset class="stack"><legend>History</legend><div class="fields">
${renderText({ name: 'cutoff', label: 'Cutoff', term: 'cutoff', hint: 'The last day that the forecast may know, such as 2024-01-31, or a number of days before the last row.', value: choices.fields.cutoff, placeholder: 'None: all rows' }, errors)}
${renderText({ name: 'limit', label: 'Rows', hint: 'The latest rows that are used, from 3 to 50,000; fewer rows cost less.', value: choices.fields.limit, placeholder: 'All', type: 'number' }, errors)}
${renderText({ name: 'settle_days', label: 'Days until a value is final', hint: 'Later values enter the outcome only after this many days, from 0 to 365.', value: choices.fields.settle_days, placeholder: '0', type: 'number' }, errors)}
</div>
${options.hasVintages && renderCheck({ name: 'as_known_at_cutoff', label: 'Values as known then', hint: 'Reads the rows as they stood at the cutoff, without later revisions.', checked: choices.fields.as_known_at_cutoff === 'on' })}
${renderError('as_known_at_cutoff', errors)}
</fieldset>
</div>
</details>`;
}

const TRANSFORMS: readonly Option[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'none', label: 'None' },
  { value: 'log', label: 'Logarithm' },
];

const UNCHANGED: Readonly<Record<string, string>> = {
  weight_mode: 'auto',
  weighting_policy: 'rolling_loss_selection_v2',
  transform: 'auto',
};

function isChanged({ choices, models }: AdvancedOptions): boolean {
  const { horizon: _, mode: __, title: ___, workspace_id: ____, visibility: _____, ...advanced } = choices.fields;
  const hasField = Object.entries(advanced).some(([name, value]) => value !== '' && value !== UNCHANGED[name]);
  return hasField || !isDefaultChoice(choices, models);
}

/** Returns whether the chosen models are those of the default ensemble, all that are available. */
export function isDefaultChoice({ models: chosen }: Choices, { models }: Models): boolean {
  const defaults = models.filter(isDefault);
  return chosen.length === 0 || (chosen.length === defaults.length && defaults.every(({ id }) => chosen.includes(id)));
}

/**
 * Returns choices that name no models if those of the default ensemble are chosen, as the form suggests. A named model is
 * always fitted; without names, the models are chosen that help on series of this kind. Typed weights are for the models
 * that are named.
 */
export function withoutDefaultModels<Chosen extends Choices>(choices: Chosen, models: Models): Chosen {
  const isNamed = choices.fields.weight_mode === 'manual' || !isDefaultChoice(choices, models);
  return isNamed ? choices : { ...choices, models: [] };
}

function isDefault({ available, default_weight }: Model): boolean {
  return available && default_weight > 0;
}

function renderModels({ choices, models, errors }: AdvancedOptions): Html {
  const isChecked = (model: Model) =>
    choices.models.length > 0 ? choices.models.includes(model.id) : isDefault(model);
  return html`<fieldset id="models" data-field="models"><legend>Models</legend>
<p class="hint">Each model forecasts separately, and the ensemble averages them. If you choose none, or leave the choice as it is, those run that help on series of this kind: “What it costs” lists them.</p>
<div class="choices">${models.models.map((model) =>
    renderCheck({
      name: `${MODEL}${model.id}`,
      label: model.name,
      hint: model.available ? STRENGTHS[model.id] : 'Not available on this service.',
      checked: model.available && isChecked(model),
      disabled: !model.available,
    }),
  )}</div>
${renderError('models', errors)}
</fieldset>`;
}

const MODES: readonly Option[] = [
  { value: 'auto', label: 'From tests on the past' },
  { value: 'manual', label: 'Typed below' },
];
const POLICIES: readonly Option[] = [
  { value: 'rolling_loss_selection_v2', label: 'A start that suits such series, moved by the folds (v2)' },
  { value: 'rolling_pinball_v1', label: 'The smallest loss in the folds, for each quantile (v1)' },
];

function renderWeights({ choices, models, errors }: AdvancedOptions): Html {
  const { weight_mode: mode, weighting_policy: policy } = choices.fields;
  return html`<fieldset id="weights" data-field="weights" class="stack"><legend>Weights</legend><div class="fields">
${renderSelect({ name: 'weight_mode', label: 'Weights are', term: 'weight', hint: 'Tests on the past cost more credits and give measured weights.', options: MODES, value: mode ?? 'auto' }, {})}
${renderSelect({ name: 'weighting_policy', label: 'Weighting policy', hint: 'How the tests on the past become weights.', options: POLICIES, value: policy ?? 'rolling_loss_selection_v2' }, errors)}
</div>
<div class="fields" data-manual>${models.models
    .filter(({ available }) => available)
    .map(({ id, name }) =>
      renderText(
        {
          name: `${WEIGHT}${id}`,
          label: `Weight of ${name}`,
          value: choices.weights[id],
          placeholder: '0',
          type: 'number',
        },
        errors,
      ),
    )}</div>
<p class="hint" data-manual>Typed weights count only if “Typed below” is chosen. Their sizes relative to each other matter: 2 and 1 mean two thirds and one third.</p>
${renderError('weights', errors)}
</fieldset>`;
}

/** Returns the limits of a plan in one sentence. */
export function describeLimits(plan: Models['plan'], max: number, periods: string): string {
  const whose = plan === 'guest' ? 'Guests can forecast' : 'Your plan allows';
  return `${whose} at most ${formatInteger(max)} ${periods}.`;
}
