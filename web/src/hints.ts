/** Makes the buttons of hints remove them without loading the page again, so that nothing that was typed is lost. */
export function removeHints(root: ParentNode & EventTarget): void {
  root.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.hint === undefined) return;
    event.preventDefault();
    // The fields of the form are text; there is no file among them.
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    fetch(form.action, { method: 'POST', body, redirect: 'manual' }).then(
      ({ type }) => (type === 'opaqueredirect' ? remove(form) : form.submit()),
      // Without a connection the hint is only removed from this page.
      () => remove(form),
    );
  });
}

function remove(form: HTMLFormElement): void {
  const hadFocus = form.contains(document.activeElement);
  form.remove();
  if (hadFocus) document.getElementById('main')?.focus({ preventScroll: true });
}
