/** Requests a page of this site as the browser would. Throws if the service cannot be reached. */
export async function fetchPage(address: string, signal?: AbortSignal): Promise<Document> {
  const response = await fetch(address, {
    credentials: 'same-origin',
    headers: { accept: 'text/html' },
    ...(signal && { signal }),
  });
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('announcement');
  if (region !== null) region.textContent = text;
}
