/** Shows the errors of a response beside their fields, and removes those of the one before. */
export function showRefusals(form: HTMLFormElement, page: Document): void {
  const errors: Record<string, string> = JSON.parse(page.getElementById('refusals')?.textContent || '{}');
  for (const place of form.querySelectorAll<HTMLElement>('[data-field]')) {
    const name = place.dataset.field ?? '';
    // A group contains fields that have errors of their own.
    place.querySelector(':scope > .error')?.remove();
    const field = place.querySelector('input, select');
    const isGroup = place instanceof HTMLFieldSetElement;
    const message = Object.hasOwn(errors, name) ? errors[name] : undefined;
    if (!isGroup) link(field, `${name}-error`, message !== undefined);
    if (message === undefined) continue;
    const error = document.createElement('p');
    error.className = 'error';
    error.id = `${name}-error`;
    error.textContent = message;
    place.append(error);
  }
}

function link(field: Element | null, id: string, isRefused: boolean): void {
  if (field === null) return;
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((other) => other && other !== id);
  if (isRefused) described.push(id);
  if (described.length > 0) field.setAttribute('aria-describedby', described.join(' '));
  else field.removeAttribute('aria-describedby');
  if (isRefused) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}
