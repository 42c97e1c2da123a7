import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderSelect, renderText } from '../fields.ts';
import type { SeriesView } from './series-view.ts';

/** Renders a list for each dimension of a series, or a text field if its values are too many to list. */
export function renderDimensions({ source, description }: SeriesView, errors: FieldErrors): Html {
  const chosen = source.type === 'economic_series' ? (source.dimensions ?? {}) : {};
  return html`${description.dimensions.map(({ field, label, required, values }) => {
    const name = `dim.${field}`;
    const value = chosen[field] ?? (values?.length === 1 ? (values[0]?.value ?? '') : '');
    if (values === undefined) {
      const hint = 'A code of the provider. A wrong one is answered with the nearest.';
      return renderText({ name, label, value, hint, type: 'text' }, errors);
    }
    const empty = values.length === 1 ? [] : [{ value: '', label: required ? 'Choose one' : 'Any' }];
    const options = [...empty, ...values.map((one) => ({ value: one.value, label: one.label || one.value }))];
    return renderSelect({ name, label, value, options }, errors);
  })}`;
}
