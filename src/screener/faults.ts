import { Fault } from '../contract/index.ts';

export function filterNotFound(): Fault {
  return new Fault('NOT_FOUND', 'No filter has this id.');
}

export function tooManyFilters(max: number): Fault {
  return new Fault('LIMIT_REACHED', `An account can have at most ${max} filters. Delete one first.`);
}

export function matchesCursorInvalid(): Fault {
  return new Fault('INVALID_REQUEST', 'cursor: belongs to another list. Send it with the same filter and session.');
}

export function sessionsCursorInvalid(): Fault {
  return new Fault('INVALID_REQUEST', 'cursor: belongs to another list. Send it with the same filter.');
}

export function notASession(date: string): Fault {
  return new Fault('INVALID_REQUEST', `session: the exchange is closed on ${date}. Choose a day with a session.`);
}

export function sessionNotFinal(date: string, latest: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `session: the closes of ${date} are not final yet. The latest session with final closes is ${latest}.`,
  );
}

export function sessionWithoutBars(date: string): Fault {
  return new Fault('UNPROCESSABLE', `session: no provider has bars of ${date}.`);
}

export function latestSessionNotStorable(): Fault {
  return new Fault('INVALID_REQUEST', 'keep: the daily run evaluates the latest session. Choose an earlier one.');
}

export function sessionAlreadyEvaluated(date: string): Fault {
  return new Fault(
    'CONFLICT',
    `keep: ${date} is already evaluated, or a worker is evaluating it. Stored results do not change.`,
  );
}
