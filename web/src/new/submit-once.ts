/**
 * Makes a form create one forecast even if its button is pressed twice. The key of the form would do it as well, but the
 * second press would look as if nothing happened.
 */
export function submitOnce(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('[data-create], [data-once]');
  if (button === null) return;
  const label = button.textContent;
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (event.submitter !== button) return;
    if (isSent) {
      event.preventDefault();
      return;
    }
    isSent = true;
    // A disabled button would not send its key.
    button.setAttribute('aria-disabled', 'true');
    button.textContent = button.dataset.once || 'Starting…';
  });
  // A page that the browser kept is shown again after going back.
  addEventListener('pageshow', () => {
    isSent = false;
    button.removeAttribute('aria-disabled');
    button.textContent = label;
  });
}
