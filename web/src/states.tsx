import { describeProblem, formatWait, toPageWords, withoutWait } from '../../src/api/pages/console/problem-words.ts';
import { ApiError } from './api.ts';

// The same markup as in src/api/pages/console/states.ts, for parts of a page that a script draws.

interface ProblemProps {
  readonly error: unknown;
  /** Called by the button that repeats what failed. Without it there is none. */
  readonly onRetry?: () => void;
}

/** Shows an error in the place of what it prevented. */
export function Problem({ error, onRetry }: ProblemProps) {
  const { title, advice, message } = describeProblem(error instanceof ApiError ? error.code : 'UNREADABLE');
  const retryAfter = error instanceof ApiError ? error.retryAfter : null;
  return (
    <div class="state-panel problem" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <p>
        {error instanceof ApiError
          ? (message ?? toPageWords(withoutWait(error.message)))
          : 'This part of the page failed. Reload the page.'}
      </p>
      {advice !== null && <p class="soft">{advice}</p>}
      {retryAfter !== null && <p>Try again in {formatWait(retryAfter)}.</p>}
      {onRetry && (
        <p class="actions">
          <button type="button" class="quiet" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

/** Stands in the place of something that is still being read. */
export function Loading({ label, shape = 'rows' }: { readonly label: string; readonly shape?: 'chart' | 'rows' }) {
  const parts = shape === 'chart' ? [0] : [0, 1, 2, 3];
  return (
    <div class="loading" role="status">
      <p class="soft">{label}</p>
      <div class={`skeleton ${shape}`} aria-hidden="true">
        {parts.map((part) => (
          <span key={part} />
        ))}
      </div>
    </div>
  );
}
