/** Returns the data that the server put into the page for a script; null if the page has none with this id. */
export function readPageData<Data>(id: string): Data | null {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Data) : null;
}
