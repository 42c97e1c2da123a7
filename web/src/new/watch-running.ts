/** Opens the page again when a forecast on it has ended. Until then, the page shows its progress. */
export function watchRunning(root: ParentNode): void {
  for (const note of root.querySelectorAll<HTMLElement>('[data-running]')) {
    const events = new EventSource(`/api/v1/ensemble-forecasts/${note.dataset.running}/events`);
    const text = note.querySelector('p');
    events.addEventListener('progress', ({ data }) => {
      const { completed_models: done, total_models: all } = JSON.parse(data);
      if (text) text.textContent = `This replay is running. ${done} of ${all} models are done.`;
    });
    const reload = (): void => {
      events.close();
      location.reload();
    };
    events.addEventListener('completed', reload);
    events.addEventListener('failed', reload);
  }
}
