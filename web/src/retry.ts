import { formatWait } from '../../src/api/pages/console/problem-words.ts';

/** Counts down in every element that states after how many seconds a repetition can succeed. */
export function countDownRetries(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-retry]')) {
    const end = performance.now() + Number(element.dataset.retry) * 1000;
    const shown = element.querySelector('strong');
    const timer = setInterval(() => {
      const left = Math.ceil((end - performance.now()) / 1000);
      if (left > 0) {
        if (shown) shown.textContent = formatWait(left);
        return;
      }
      clearInterval(timer);
      element.textContent = 'You can try again now.';
    }, 1000);
  }
}
