/** What a check found, in words, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** Null if nothing has to be done. */
  readonly next_step: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, next_step: null };
}

/** Something that will become a problem, or that an operator should know. */
export function warning(check: string, message: string, nextStep: string): Finding {
  return { check, status: 'warning', message, next_step: nextStep };
}

/** Something that does not work, or that is not safe. */
export function problem(check: string, message: string, nextStep: string): Finding {
  return { check, status: 'problem', message, next_step: nextStep };
}

/** The most severe finding first. */
export function worstFirst(one: Finding, other: Finding): number {
  const order = ['problem', 'warning', 'ok'];
  return order.indexOf(one.status) - order.indexOf(other.status);
}
