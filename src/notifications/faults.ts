import { Fault, type Scope, type WebhookEventType } from '../contract/index.ts';

export function webhookNotFound(place: 'account' | 'workspace'): Fault {
  const owner = place === 'account' ? 'Your account' : 'The workspace';
  return new Fault('NOT_FOUND', `${owner} has no webhook with this id.`);
}

export function deliveryNotFound(): Fault {
  return new Fault('NOT_FOUND', 'The webhook has no delivery with this id. Deliveries can be removed after 30 days.');
}

export function webhookPlanRequired(): Fault {
  return new Fault('PLAN_REQUIRED', 'A webhook is API access, which needs the pro or enterprise plan.');
}

export function tooManyWebhooks(max: number): Fault {
  return new Fault('LIMIT_REACHED', `There can be at most ${max} webhooks. Delete one first.`);
}

export function tooManyRequested(max: number, kind: 'tests' | 'replays'): Fault {
  return new Fault(
    'LIMIT_REACHED',
    `${max} ${kind} of this webhook are waiting, which is the limit. Wait until some of them have ended.`,
  );
}

export function eventTypeDenied(type: WebhookEventType, scope: Scope): Fault {
  return new Fault('SCOPE_DENIED', `types: events of the type ${type} require the scope ${scope}.`, {
    missingScope: scope,
  });
}

export function typeOfAccountsOnly(type: WebhookEventType): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `types: ${type} is about filters, which belong to accounts. Choose it in a webhook of your account.`,
  );
}

export function urlRefused(problem: string): Fault {
  return new Fault('INVALID_REQUEST', `url: ${problem}`);
}

export function deliveryPending(): Fault {
  return new Fault('CONFLICT', 'The delivery has not ended: another attempt will be made. Wait for it.');
}

export function webhookOff(): Fault {
  return new Fault('CONFLICT', 'The webhook is off. Turn it on first: PATCH it with {"enabled": true}.');
}
