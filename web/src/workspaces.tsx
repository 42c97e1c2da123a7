// Makes the lists of files and forecasts that an owner picks from quick to use: a search shows what matches while one
// types, and the number of picked ones follows. Without this script, the search is a button of the form.

interface Picker {
  /** Short lists have no search. */
  readonly find: HTMLInputElement | null;
  readonly picked: HTMLElement;
  readonly choices: readonly HTMLElement[];
}

for (const root of document.querySelectorAll<HTMLElement>('[data-picker]')) {
  const find = root.querySelector<HTMLInputElement>('input[type=search]');
  const picked = root.querySelector<HTMLElement>('[data-picked]');
  if (picked !== null) {
    watch(root, { find, picked, choices: [...root.querySelectorAll<HTMLElement>('.picks > .choice')] });
  }
}

function watch(root: HTMLElement, picker: Picker): void {
  const { find, picked, choices } = picker;
  // The service lists only the latest forecasts of a large workspace, and finds the others with the button.
  const isWhole = picked.dataset.picked === 'whole';
  const button = root.querySelector<HTMLButtonElement>('button[name=search]');
  if (isWhole && button !== null && find !== null) {
    button.hidden = true;
    // The first submit button of a form is the one that Enter presses in any of its fields.
    button.type = 'button';
    find.addEventListener('input', () => show(picker));
    find.addEventListener('keydown', (event) => event.key === 'Enter' && event.preventDefault());
    show(picker);
  }
  root.addEventListener('change', () => {
    const count = choices.filter(isPicked).length;
    picked.textContent = `${count} ${picked.dataset.noun}${count === 1 ? '' : 's'} picked${isWhole ? '' : '. Only the latest are listed; search for others'}.`;
  });
}

/** Shows the choices whose text contains every word of the search. What is picked stays in sight. */
function show({ find, choices }: Picker): void {
  const words = (find?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  for (const choice of choices) {
    const text = choice.textContent?.toLowerCase() ?? '';
    choice.hidden = !isPicked(choice) && !words.every((word) => text.includes(word));
  }
}

function isPicked(choice: HTMLElement): boolean {
  return choice.querySelector<HTMLInputElement>('input')?.checked === true;
}
