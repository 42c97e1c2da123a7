/** How long a button states that it has copied. */
const STATED_MS = 2_000;

/**
 * Adds a button that copies to every text that is meant to be copied. Browsers copy only on pages with TLS and on
 * loopback; elsewhere the texts stay without a button.
 */
export function addCopyButtons(root: ParentNode): void {
  if (navigator.clipboard === undefined) return;
  for (const text of root.querySelectorAll<HTMLElement>('pre[data-copy]')) {
    const frame = document.createElement('div');
    frame.className = 'copied';
    text.replaceWith(frame);
    frame.append(text, ...createButton(text));
  }
}

/** Returns the button, and the place from which screen readers announce what it did. */
function createButton(text: HTMLElement): [HTMLButtonElement, HTMLElement] {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'bare';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${text.dataset.copy}`);
  const status = document.createElement('span');
  status.className = 'away';
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    const done = await copy(text);
    button.textContent = done;
    status.textContent = done;
    setTimeout(() => {
      button.textContent = 'Copy';
      status.textContent = '';
    }, STATED_MS);
  });
  return [button, status];
}

/** Copies a text, or selects it if the browser refuses. @returns what was done */
async function copy(text: HTMLElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(text);
    return 'Selected';
  }
}
