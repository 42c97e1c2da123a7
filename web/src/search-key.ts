/** Makes the key "/" move the focus to the search field, except while something is typed. */
export function focusSearchOnSlash(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const field = document.querySelector<HTMLInputElement>('[data-search]');
    if (field === null) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
